extension ModemMaker {
  /// Makers of whose modems only the USB numbers are known: they are set up as the standards have it, or
  /// as the maker of the module inside, which their model tells.
  public static let others = ModemMaker("others", manufacturers: []) {
    $0.usb.rows = """
      ~ 03f0 HP
      3d1d G09 | hs2350
      ~ 0421 Nokia
      0611 A01 | Internet Stick
      0619 A03 | Internet Stick
      0620 A01 | Internet Stick
      0623 A01 | Internet Stick
      0624 A01 | Internet Stick
      0625 A01 | Internet Stick
      ~ 0489 Foxconn
      e0b4 A02 S03 G04 D05 | T77W968
      e0b5 A02 S03 G04 D05 | T77W968
      ~ 07d1 D-Link
      7e11 A02 S03 | DWM-156 A3
      ~ 0930 Toshiba
      130b G09
      130c G09 | F3607gw
      1311 G09 | F3607gw
      = 0b3c Olivetti
      c005 S00 S01 S02 S03 A05 S06 | Olicard 200
      ~ 0bdb Ericsson
      1900 G09 | F3507g
      1902 G09 | F3507g
      1904 G09 | F3607gw
      1905 G09 | F3607gw
      1906 G09 | F3607gw
      190d G09 | F5521gw
      1911 G09 | F5521gw
      1926 G09 | H5321gw
      1927 G09 | H5321gw
      ~ 0e8d MediaTek
      0023 A02 S03
      00a1 A00 S01
      00a2 A00 S01
      00a4 A00 S02
      00a5 A02 S03
      00a7 A02 S03
      = 1bbb Alcatel
      0000 S00 S01 S02 A03 | One Touch X060s
      0017 S00 S01 S02 S03 A05 | One Touch X200
      022c X00 A01 S02 X03 | One Touch X602D
      = 1c9e Longcheer
      3197 A00 S01
      6000 A00 S02
      6060 A00 S02
      6061 A00 S02 | One Touch X020
      7001 S00 A02 S03
      7002 S00 A02 S03 S04
      7101 S00 A04 S05
      7102 S00 A04 S05 S06
      8000 S00 S02 A05
      8001 S00 S02 A04
      8002 S00 S02 A04
      9000 S01 A03 | ChinaBird PL68
      9001 S00 S01 A02
      9002 S00 S01 A02
      9003 S00 S01 S02 A03
      9004 S00 A01
      9005 S00 A01
      9010 S00 S01 A03
      9012 S00 S01 A02
      9020 S00 S01 A03
      9022 S00 S01 A02
      9602 A00 S01 S02
      9603 S00 S01 A02 | Zoom 4595
      9604 S00 S01 A03
      9605 S00 S01 S02 A03
      9606 S00 S01 S02 A04
      9607 S00 S01 S02 S03 A04
      ~ 2001 D-Link
      7d00 A00 S01 | DWM-156 A5
      7e35 X00 A01 S02 X03 | DWM-222
      ~ 201e Haier
      10f8 A03 | CE81B
      = 2020 BroadMobi
      2060 D00 A01 S02 S03 | BM818
      = 230d Linktop
      0001 P01 A03 | HSPADataCard
      ~ 2357 TP-Link
      9000 X00 X01 A03 | MA260
      = 305a Gosuncn
      1405 X00 A01 S02 X05 | GM800
      = 33f8 Rolling Wireless
      0104 D00 A01 S02 G03 | RW101
      0115 G02 D03 A04 | RW135
      01a2 A02 X03 D04 G05 | RW101
      01a3 G02 | RW101
      01a4 D02 A03 G05 G06 | RW101
      01a8 D02 A03 G05 G06 | RW101R
      01a9 D02 A03 G05 G06 | RW101R
      0301 A02 | RW101R
      0302 A02 | RW101R
      0802 X02 X03 X04 X06 X07 X08 X09 | RW350
      1003 G02 D03 A04 | RW135R
      = 3731 Netprisma
      0100 D03 G04 A05 | LCUK54
      0101 D03 G04 A05 | LCUK54
      0106 D03 G04 A05 | LCUK54
      010a D03 G04 A05 | LCUK54
      010b D03 G04 A05 | LCUK54
      010c D03 G04 A05 | LCUK54
      010d D03 G04 A05 | LCUK54
      0111 D03 G04 A05 | LCUK54
      0112 D03 G04 A05 | LCUK54
      0113 D03 G04 A05 | LCUK54
      0115 D03 G04 A05 | LCUK54
      0116 D03 G04 A05 | LCUK54
      ~ 413c Dell
      8147 G09 | 5530
      8183 G09 | F3607gw
      8184 G09 | F3607gw
      818b G09 | F3307
      818c G09 | F3307
      818e G09 | 5560
      81d7 A02 S03 G04 D05 | DW5821e
      81d9 X04 | DW5820e
      81e0 A02 S03 G04 D05 | DW5821e
      """
    $0.usb.storageMode = ["1bbb:f000", "1c9e:f000", "2001:a80b"]
  }
}
