import AsyncHTTPClient

enum P1 {}
