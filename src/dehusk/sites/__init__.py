"""The pages of a site: crawling them, telling sites apart, finding duplicates."""
