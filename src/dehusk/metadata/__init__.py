"""What a page says about itself: title, authors, dates, language and the like, and where each was found."""
