"""Adapters for other libraries: pandas, datatrove, scikit-learn, LangChain, LlamaIndex, MCP, each in its own module."""
