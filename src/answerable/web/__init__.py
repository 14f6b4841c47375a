"""The HTTP API, the event stream and the page."""
