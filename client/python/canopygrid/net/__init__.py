"""Connections to servers: login, requests and answers, and the choice of a server.

Internal: programs use what :mod:`canopygrid` exports.
"""
