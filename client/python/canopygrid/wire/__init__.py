"""The protocol between clients and servers: frames, messages and their encodings.

Internal: programs use what :mod:`canopygrid` exports.
"""
