from terziglio_api.tokens import (
    INVITE,
    SEAT,
    digest,
    matches,
    new_secret,
    new_table_id,
)


def test_secrets_have_256_bits_and_never_repeat() -> None:
    secrets = [new_secret(prefix) for prefix in (SEAT, INVITE) for _ in range(500)]
    assert len(set(secrets)) == 1000
    # 32 bytes are 43 characters in base 64.
    assert {len(secret) for secret in secrets} == {4 + 43}
    assert {secret[:4] for secret in secrets} == {"tzs_", "tzi_"}


def test_a_hash_matches_its_secret_alone() -> None:
    secret = new_secret(SEAT)
    stored = digest(secret)
    assert secret not in stored
    assert matches(secret, stored)
    assert not matches(secret + "x", stored)
    assert not matches("", stored)
    assert not matches(secret, None)
    assert not matches("", None)


def test_table_ids_are_random_or_name_their_request() -> None:
    ids = {new_table_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(table) for table in ids} == {2 + 36}
    assert new_table_id("a") == new_table_id("a") != new_table_id("b")
    assert len(new_table_id("a")) == 2 + 36
