"""Before any test."""

import signal

# A job in the background is started with Ctrl-C ignored, and so would be every process that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
