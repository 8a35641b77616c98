"""ICE servers: what coturn's shared-secret authentication accepts, and nothing more."""

from terziglio_api.wire.voice import ice_of

NOW = 1_700_000_000_999
SHARED = "north"


def test_turn_credentials_are_what_coturn_works_out() -> None:
    ice = ice_of(["stun:s:1"], ["turn:t:2", "turns:t:3"], SHARED, 600, NOW)
    stun, turn = ice.ice_servers
    assert stun.model_dump() == {"urls": ["stun:s:1"]}
    assert turn.urls == ["turn:t:2", "turns:t:3"]
    assert ice.ttl_s == 600
    assert turn.username == "1700000600:terziglio"
    # The recipe of coturn's manual, by another program:
    # printf 1700000600:terziglio | openssl dgst -binary -sha1 -hmac north | base64
    assert turn.credential == "d903WclfSv94/2eCS7cH6wQgVh0="


def test_without_a_secret_there_is_no_turn_server() -> None:
    assert ice_of([], ["turn:t:2"], None, 600, NOW).ice_servers == []
    assert ice_of([], [], SHARED, 600, NOW).ice_servers == []
