"""dehusk inside other libraries: pandas, datatrove, scikit-learn, LangChain. Each module needs its own alone."""
