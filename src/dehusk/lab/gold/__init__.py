"""Labelled pages: pages whose main content is known."""
