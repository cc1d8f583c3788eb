"""The server with what only the conformance suite needs: hooks, a target file, and rules to break. Nothing outside imports it."""
