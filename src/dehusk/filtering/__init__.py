"""Which cleaned pages belong into a corpus: filters by language, length, type and metadata, and near-duplicates."""
