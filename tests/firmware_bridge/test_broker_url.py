import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.contract.broker_url import BrokerAddress, parse_broker_url
from firmware_bridge.contract.errors import BrokerUrlError

words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)


def test_a_whole_address_is_taken_apart() -> None:
    address = parse_broker_url("mqtts://app:p%40ss@table.local:8884")
    assert address == BrokerAddress("table.local", 8884, tls=True, username="app", password="p@ss")
    assert address.url == "mqtts://table.local:8884"


def test_the_port_has_its_usual_default() -> None:
    assert parse_broker_url("mqtt://10.0.0.2").port == 1883
    assert parse_broker_url("mqtts://10.0.0.2").port == 8883


def test_an_ipv6_address_keeps_its_brackets_in_the_url() -> None:
    address = parse_broker_url("mqtt://[::1]:1884")
    assert (address.host, address.port, address.url) == ("::1", 1884, "mqtt://[::1]:1884")


@given(words, words)
def test_any_name_and_password_survive_the_url(username: str, password: str) -> None:
    written = BrokerAddress("127.0.0.1", 1883).url_for(username, password)
    read = parse_broker_url(written)
    assert (read.username, read.password) == (username, password)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "no scheme"),
        ("127.0.0.1:1883", "no scheme"),
        ("http://127.0.0.1", "http:// is not known"),
        ("mqtt://", "host is missing"),
        ("mqtt://127.0.0.1:0", "port 0"),
        ("mqtt://127.0.0.1:99999", "no number from 1 to 65535"),
        ("mqtt://127.0.0.1:mqtt", "no number from 1 to 65535"),
        ("mqtt://127.0.0.1/table", "nothing may follow the port"),
        ("mqtt://:secret@127.0.0.1", "user name is empty"),
        ("mqtt://app:sec/ret@127.0.0.1", "no number"),
    ],
)
def test_a_bad_address_is_refused_with_the_shape_of_a_good_one(url: str, problem: str) -> None:
    with pytest.raises(BrokerUrlError, match="mqtt://") as caught:
        parse_broker_url(url)
    assert problem in str(caught.value)


def test_no_error_and_no_printout_repeats_the_password() -> None:
    for url in ("mqtt://app:sesame@127.0.0.1:x", "mqtt://app:sesame@127.0.0.1/x", "ftp://app:sesame@h"):
        with pytest.raises(BrokerUrlError) as caught:
            parse_broker_url(url)
        assert "sesame" not in str(caught.value)
    assert "sesame" not in repr(parse_broker_url("mqtt://app:sesame@127.0.0.1"))
