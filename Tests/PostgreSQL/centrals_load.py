"""Hands signed texts in at several centrals, as a provider does: each goes to the next one until one answers 200.

Usage: centrals_load.py SECONDS PORT PORT, centrals_load.py overdue PORT NUMBER, or centrals_load.py away PORT SECONDS NUMBER

Prints the identifier of each text that was answered with 200. Away, several texts a second are handed in at one
central, whose database does not answer: how each was answered is printed, `cut` where the connection ended before.
"""

import base64
import hashlib
import hmac
import http.client
import sys
import threading
import time
import urllib.parse

URL = "https://hooks.example.org/functions/v1/sms-webhook"
lock = threading.Lock()


def hand_in(port, sid, body):
    """Whether the central at that port answered 200."""
    status = answer_to(port, sid, body)
    if status not in (200, 429, 500, 503, None):
        raise SystemExit(f"answered {status}")
    return status == 200


def answer_to(port, sid, body):
    """What the central at that port answered; None where it did not."""
    fields = {
        "MessageSid": sid,
        "AccountSid": "AC" + "a" * 32,
        "From": "+9779801234567",
        "To": "+15005550006",
        "Body": body,
    }
    signed = URL + "".join(name + fields[name] for name in sorted(fields))
    signature = base64.b64encode(hmac.new(b"12345", signed.encode(), hashlib.sha1).digest())
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
        connection.request(
            "POST",
            "/functions/v1/sms-webhook",
            urllib.parse.urlencode(fields),
            {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-Twilio-Signature": signature.decode(),
            },
        )
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status
    except (OSError, http.client.HTTPException):
        return None


def text(number, moment):
    return f"V1|BNP-{'AB'[number % 2]}|BA1PA{100_000 + number}|CAR|{moment}|4567"


def hand_in_many(worker, workers, end, ports, begun):
    number = worker
    while time.monotonic() < end:
        sid = f"SM{number:032x}"
        attempt = number
        while time.monotonic() < end:
            if hand_in(ports[attempt % len(ports)], sid, text(number, begun - number % 3600)):
                with lock:
                    print(sid, flush=True)
                break
            attempt += 1
            time.sleep(0.05)
        number += workers


def away(port, seconds, number):
    end = time.monotonic() + seconds
    threads = []

    def one(number):
        sid = f"SM{number:032x}"
        status = answer_to(port, sid, text(number, int(time.time()) - number % 3600))
        with lock:
            print("cut" if status is None else status, sid if status == 200 else "", flush=True)

    while time.monotonic() < end:
        threads.append(threading.Thread(target=one, args=(number,)))
        threads[-1].start()
        number += 1
        time.sleep(0.2)
    for thread in threads:
        thread.join()


def main():
    if sys.argv[1] == "away":
        return away(int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
    if sys.argv[1] == "overdue":
        number = 900_000 + int(sys.argv[3])
        for _ in range(100):
            # The slowest travel takes 4 h 30 min.
            moment = int(time.time()) - 5 * 3600
            if hand_in(int(sys.argv[2]), f"SM{number:032x}", text(number, moment)):
                print(f"SM{number:032x}")
                return
            time.sleep(0.1)
        raise SystemExit("the central that lives takes nothing")
    end = time.monotonic() + float(sys.argv[1])
    ports = [int(port) for port in sys.argv[2:]]
    begun = int(time.time())
    threads = [
        threading.Thread(target=hand_in_many, args=(worker, 8, end, ports, begun))
        for worker in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
