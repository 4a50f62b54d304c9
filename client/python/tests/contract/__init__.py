"""Tests against real servers, whose addresses are in the environment.

CANOPY_SERVERS names them, as host:port,host:port; without it these tests are skipped.
"""
