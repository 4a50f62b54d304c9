"""Small parts: errors, addresses, tokens, the login, routes and own writes."""

from __future__ import annotations

import re
import unittest

from canopygrid import CanopyError, CausalToken, ClientOptions, ErrorCode
from canopygrid.net.routes import NOWHERE, RouteMap
from canopygrid.net.scram import LoginError, ScramClient, prepared
from canopygrid.session.own_writes import OwnWrites
from canopygrid.uri import parse, parse_address
from canopygrid.wire.messages.catalog import Route, Routes
from canopygrid.wire.messages.data import KeyBounds
from tests import vectors


class ErrorsTest(unittest.TestCase):
    """The errors are those of the documentation."""

    def test_the_table(self) -> None:
        rows = re.findall(
            r"^\| CNPY-(\d+) \| (\w+) \| (yes|no) \| (\w+) \|",
            vectors.ERRORS.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        self.assertEqual(
            [
                (
                    str(code.number),
                    code.name,
                    "yes" if code.retryable else "no",
                    code.commit_state.name,
                )
                for code in ErrorCode
            ],
            rows,
        )

    def test_text(self) -> None:
        error = CanopyError(ErrorCode.UNKNOWN_INDEX, "there is no index 'a'")
        self.assertTrue(
            str(error).startswith("CNPY-3006 UNKNOWN_INDEX: there is no index 'a'. Check the name")
        )


class UriTest(unittest.TestCase):
    """The addresses of servers."""

    def test_all_parts(self) -> None:
        uri = parse("canopys://ada:p@ss%25:w/rd@vm1:11,[::1]:12,vm3")
        self.assertEqual(
            [str(server) for server in uri.servers], ["vm1:11", "[::1]:12", "vm3:11444"]
        )
        self.assertEqual((uri.tls, uri.user, uri.password), (True, "ada", "p@ss%:w/rd"))
        self.assertNotIn("p@ss", repr(uri))

    def test_what_is_none(self) -> None:
        for text in ("vm1", "http://vm1", "canopy://", "canopy://vm1:x", "canopy://a,,b"):
            with self.subTest(text), self.assertRaises(CanopyError) as caught:
                parse(text)
            self.assertIs(caught.exception.code, ErrorCode.CONFIG_INVALID)
        with self.assertRaises(CanopyError) as caught:
            parse("http://ada:secret@vm1")
        self.assertNotIn("secret", str(caught.exception))
        self.assertRaises(CanopyError, parse_address, "vm1:99999")

    def test_options_print_no_password(self) -> None:
        self.assertNotIn("secret", repr(ClientOptions(user="a", password="secret")))


class TokenTest(unittest.TestCase):
    """Tokens as text, the same in all clients."""

    #: As the Java client prints it.
    TEXT = "wgEBI0VniavN7_7cuph2VDIQAwABAsgB_AGAgICAgCDYgL0U"

    def test_the_same_text(self) -> None:
        grid = bytes.fromhex("0123456789abcdeffedcba9876543210")
        token = CausalToken(grid, {0: 1, 3: 200, 256: 1099511627776})
        self.assertEqual(str(token), self.TEXT)
        self.assertEqual(CausalToken.parse(self.TEXT), token)
        self.assertEqual(str(CausalToken()), "wgAAY0kG7Q")

    def test_what_is_none(self) -> None:
        for text in ("", "wg", "!", self.TEXT[:-1], self.TEXT.replace("AwAB", "AwAC")):
            with self.subTest(text), self.assertRaises(CanopyError) as caught:
                CausalToken.parse(text)
            self.assertIs(caught.exception.code, ErrorCode.INVALID_TOKEN)


class LoginTest(unittest.TestCase):
    """SCRAM-SHA-256, with the example of RFC 7677."""

    SERVER_FIRST = (
        b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        b"s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
    )
    SERVER_FINAL = b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="

    def client(self) -> ScramClient:
        """The client of the example."""
        return ScramClient("user", "pencil", "rOprNGfwEbeRWgbNEkqO")

    def test_the_example(self) -> None:
        client = self.client()
        self.assertEqual(client.first(), b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
        self.assertEqual(
            client.final(self.SERVER_FIRST),
            b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
            b"p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
        )
        client.check(self.SERVER_FINAL)

    def test_a_server_that_does_not_know_the_password(self) -> None:
        client = self.client()
        client.final(self.SERVER_FIRST)
        for final in (b"v=AAAA", b"", b"e=invalid-proof"):
            self.assertRaises(LoginError, client.check, final)

    def test_a_server_with_another_nonce(self) -> None:
        first = self.SERVER_FIRST.replace(b"r=rOpr", b"r=sOpr")
        self.assertRaises(LoginError, self.client().final, first)

    def test_names(self) -> None:
        self.assertIn(b"n=a=2Cb=3D,", ScramClient("a,b=", "p").first())
        self.assertEqual(prepared("I\u00adX \u2168"), "IX IX")
        self.assertRaises(LoginError, prepared, "a\x07")


class RoutesTest(unittest.TestCase):
    """The places of keys."""

    def test_places(self) -> None:
        told = Routes(3, ("vm1:1", "vm2:1"), (Route(b"", 0, 17), Route(b"m", 1, 255)))
        routes = NOWHERE.updated(told)
        for key, address, shard in [
            (b"", "vm1:1", 17),
            (b"lz", "vm1:1", 17),
            (b"m", "vm2:1", 255),
            (b"\xff", "vm2:1", 255),
        ]:
            self.assertEqual(routes.address_of(key), address)
            self.assertEqual(routes.shard_of(key), shard)
        self.assertEqual((NOWHERE.address_of(b"a"), NOWHERE.shard_of(b"a")), ("", 0))
        self.assertIs(routes.updated(Routes(3, (), ())), routes)
        self.assertIsInstance(routes, RouteMap)


class OwnWritesTest(unittest.TestCase):
    """What a transaction has written."""

    def test_directions(self) -> None:
        own = OwnWrites()
        for key in (b"c", b"a", b"b"):
            own[key] = key
        some = KeyBounds(b"a\x00", b"c")
        self.assertEqual((own.next(some, False), own.next(some, True)), (b"b", b"b"))
        self.assertEqual(own.next(KeyBounds(b"", None), True), b"c")
        self.assertIsNone(own.next(KeyBounds(b"d", None), False))
        own.remove_range(some)
        self.assertEqual((own[b"a"], own[b"b"], own[b"c"]), (b"a", None, b"c"))


if __name__ == "__main__":
    unittest.main()
