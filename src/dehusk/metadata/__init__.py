"""What a page says about itself: title, authors, dates, language and the like, each with where it was found."""
