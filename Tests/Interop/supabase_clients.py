"""What programs do with the clients of Supabase, against a central: supabase.sh runs it.

Usage: supabase_clients.py URL ANON-KEY
"""

import sys
import uuid

import httpx
import postgrest
import supabase
import supabase_auth.errors
import supabase_functions.errors

URL, KEY = sys.argv[1:]
JPEG = b"\xff\xd8\xff\xe0 a photograph"


def signed_in(name, password):
    client = supabase.create_client(URL, KEY)
    session = client.auth.sign_in_with_password(
        {"email": f"{name}@bnp.local", "password": password})
    return client, session.user.id


def code(action):
    """What an action is refused with."""
    try:
        action()
    except postgrest.exceptions.APIError as error:
        return error.code
    return None


def passage(place, plate, second, user):
    return {
        "client_id": str(uuid.uuid4()), "plate_number": plate, "plate_number_raw": plate,
        "vehicle_type": "car", "checkpost_id": place["id"], "segment_id": place["segment_id"],
        "recorded_at": f"2026-01-01T00:{second // 60:02}:{second % 60:02}Z", "ranger_id": user,
        "source": "app",
    }


def main():
    east, sita = signed_in("sita", "east-gate-1")
    west, ram = signed_in("ram", "west-gate-1")
    office, _ = signed_in("hari", "office-1-office")

    profile = east.table("user_profiles").select("*, checkposts(*, highway_segments(*))").eq(
        "id", sita).single().execute().data
    assert profile["full_name"] == "Sita", profile
    here = profile["checkposts"]
    assert here["code"] == "BNP-A" and here["highway_segments"]["distance_km"] == 45, here
    there = east.table("checkposts").select("*").eq("segment_id", here["segment_id"]).neq(
        "id", here["id"]).execute().data[0]
    assert there["code"] == "BNP-B", there

    entry = passage(here, "BA1PA1234", 0, sita)
    told = east.table("vehicle_passages").insert(entry).execute().data
    assert [row["client_id"] for row in told] == [entry["client_id"]], told
    assert code(lambda: east.table("vehicle_passages").insert(entry).execute()) == "23505"
    again = east.table("vehicle_passages").upsert(
        entry, on_conflict="client_id", ignore_duplicates=True).execute().data
    assert again == [], again
    assert code(lambda: west.table("vehicle_passages").insert(
        passage(here, "BA1PA1", 0, ram)).execute()) == "42501"

    leaving = west.table("vehicle_passages").insert(
        passage(there, "BA1PA1234", 1800, ram)).execute().data[0]
    violation = office.table("violations").select(
        "*, entry:vehicle_passages!entry_passage_id(client_id)").execute().data
    assert len(violation) == 1 and violation[0]["violation_type"] == "speeding", violation
    assert violation[0]["entry"]["client_id"] == entry["client_id"], violation
    east.table("violation_outcomes").insert({
        "violation_id": violation[0]["id"], "outcome_type": "warned", "recorded_by": sita,
    }).execute()

    changed = east.table("vehicle_passages").update({"vehicle_type": "bus"}).eq(
        "client_id", entry["client_id"]).execute().data
    assert changed[0]["vehicle_type"] == "bus", changed
    assert west.table("vehicle_passages").update({"vehicle_type": "car"}).eq(
        "client_id", entry["client_id"]).execute().data == []

    rows = [passage(here, f"BA2PA{number}", number, sita) for number in range(120)]
    east.table("vehicle_passages").insert(rows).execute()
    page = east.table("vehicle_passages").select("id", count="exact").like(
        "plate_number", "BA2*").order("recorded_at", desc=True).range(20, 29).execute()
    assert len(page.data) == 10 and page.count == 120, page
    found = east.table("vehicle_passages").select("plate_number").or_(
        "plate_number.eq.BA2PA7,and(plate_number.eq.BA1PA1234,is_entry.is.true)").order(
            "plate_number").execute().data
    assert [row["plate_number"] for row in found] == ["BA1PA1234", "BA2PA7"], found

    for pending in (3, 0):
        mark = east.table("sync_metadata").upsert(
            {"user_id": sita, "device_id": "post-1", "pending_count": pending},
            on_conflict="user_id,device_id").execute().data
        assert mark[0]["pending_count"] == pending, mark

    photos = east.storage.from_("passage-photos")
    name = f"{told[0]['id']}.jpg"
    photos.upload(name, JPEG, {"content-type": "image/jpeg", "upsert": "true"})
    assert photos.download(name) == JPEG
    assert photos.exists(name) and not photos.exists("no.jpg")
    info = photos.info(name)
    assert info["size"] == len(JPEG) and info["content_type"] == "image/jpeg", info
    signed = photos.create_signed_url(name, 60)["signedURL"]
    assert httpx.get(signed).content == JPEG, signed
    assert httpx.get(signed + "x").status_code == 400
    both = photos.create_signed_urls([name, "no.jpg"], 60)
    assert both[0]["error"] is None and both[1]["error"], both
    late = f"{uuid.uuid4()}.jpg"
    place = photos.create_signed_upload_url(late)
    photos.upload_to_signed_url(place["path"], place["token"], JPEG, {"content-type": "image/jpeg"})
    kept = office.storage.from_("passage-photos")
    assert {file["name"] for file in kept.list()} == {name, late}, kept.list()
    assert kept.list_v2({"limit": 1}).hasNext
    assert [file["name"] for file in photos.remove([late])] == []
    assert [file["name"] for file in kept.remove([late])] == [late]
    assert [bucket.id for bucket in east.storage.list_buckets()] == ["passage-photos"]

    # The two were paired as the second one came.
    try:
        east.functions.invoke("match-passage", {"body": {
            "entry_passage_id": told[0]["id"], "exit_passage_id": leaving["id"]}})
        raise AssertionError("matched twice")
    except supabase_functions.errors.FunctionsHttpError as error:
        assert "already matched" in str(error), error

    # Nobody rewrites what another one recorded, and what is one's own is as it is told.
    foreign = dict(passage(there, "BA9PA9", 1800, ram), client_id=entry["client_id"])
    assert code(lambda: west.table("vehicle_passages").upsert(
        foreign, on_conflict="client_id").execute()) == "42501"
    renamed = east.table("vehicle_passages").update({"photo_path": name}).eq(
        "client_id", entry["client_id"]).execute().data
    assert renamed[0]["photo_path"] == name, renamed
    removed = east.table("vehicle_passages").update({"photo_path": None}).eq(
        "client_id", entry["client_id"]).execute().data
    assert removed[0]["photo_path"] is None, removed
    only = east.table("vehicle_passages").select(
        "plate_number, post:checkpost_id!inner(code)", count="exact").eq(
            "post.code", "BNP-B").execute()
    assert only.count == 1 and only.data[0]["post"]["code"] == "BNP-B", only

    found = east.table("vehicle_passages").select("plate_number, day:recorded_at::date").filter(
        "plate_number", "match", "^BA2PA11[0-4]$").order("plate_number").execute().data
    assert len(found) == 5 and found[0] == {"plate_number": "BA2PA110", "day": "2026-01-01"}, found
    lines = office.table("checkposts").select("code").order("code").csv().execute().data
    assert lines == "code\nBNP-A\nBNP-B\n", lines
    ends = east.table("checkposts").select("code").contains(
        "segment_ids", [here["segment_id"]]).order("code").execute().data
    assert [row["code"] for row in ends] == ["BNP-A", "BNP-B"], ends

    west.auth.update_user({"password": "west-gate-2"})
    west, _ = signed_in("ram", "west-gate-2")

    made = office.functions.invoke("create-ranger", {"body": {
        "username": "gita", "password": "north-gate-1", "full_name": "Gita",
        "assigned_checkpost_id": here["id"]}})
    assert b'"gita@bnp.local"' in made, made
    _, gita = signed_in("gita", "north-gate-1")
    office.table("user_profiles").update({"is_active": False}).eq("id", gita).execute()
    try:
        signed_in("gita", "north-gate-1")
        raise AssertionError("signed in after she was disabled")
    except supabase_auth.errors.AuthApiError as error:
        assert "banned" in str(error), error

    nobody = postgrest.SyncPostgrestClient(f"{URL}/rest/v1", headers={"apikey": KEY})
    assert nobody.from_("vehicle_passages").select("*").execute().data == []
    assert code(lambda: nobody.from_("vehicle_passages").insert(entry).execute()) == "42501"
    assert code(lambda: nobody.from_("nonsense").select("*").execute()) == "PGRST205"
    assert code(lambda: nobody.from_("vehicle_passages").select("x").execute()) == "42703"
    print("supabase: the clients and the central agree")


main()
