"""Adapters for other libraries: pandas, datatrove, scikit-learn, LangChain. Each module needs only its own."""
