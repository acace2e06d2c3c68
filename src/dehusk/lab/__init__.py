"""What people who only clean never load: labelled pages, training, evaluation, and the papers' experiments."""
