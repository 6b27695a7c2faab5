# The devices of rules.sh: how each shows itself, and what is to be made of it.
#
# device VENDOR PRODUCT NAME [SERIAL], then interface NUMBER CLASS/SUBCLASS/PROTOCOL DRIVER [TTY] for each; they
# write the description that umockdev reads. All stand in one socket of a hub-less controller.
root=/devices/pci0000:00/0000:00:14.0/usb1

device() {
  current=$1:$2
  description=$directory/$1-$2.umockdev
  count=0
  cat >"$description" <<DESCRIPTION
P: /devices/pci0000:00/0000:00:14.0
E: SUBSYSTEM=pci
E: PCI_SLOT_NAME=0000:00:14.0

P: $root
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
A: idVendor=1d6b\n
A: idProduct=0002\n
A: bDeviceClass=09\n

P: $root/1-1
N: bus/usb/001/002
E: DEVNAME=/dev/bus/usb/001/002
E: DEVTYPE=usb_device
E: MAJOR=189
E: MINOR=1
E: SUBSYSTEM=usb
A: dev=189:1\n
A: idVendor=$1\n
A: idProduct=$2\n
A: bDeviceClass=00\n
A: product=$3\n
${4:+A: serial=$4\\n
}A: authorized=1\n
A: power/control=auto\n
A: power/autosuspend_delay_ms=2000\n

DESCRIPTION
}

interface() {
  local number=$1 driver=$3 tty=${4:-} class subclass protocol
  IFS=/ read -r class subclass protocol <<<"$2"
  local place=$root/1-1/1-1:1.$((16#$number)) above=../../../../../..
  cat >>"$description" <<DESCRIPTION
P: $place
E: SUBSYSTEM=usb
E: DEVTYPE=usb_interface
E: DRIVER=$driver
A: bInterfaceNumber=$number\n
A: bInterfaceClass=$class\n
A: bInterfaceSubClass=$subclass\n
A: bInterfaceProtocol=$protocol\n
L: driver=$above/bus/usb/drivers/$driver

DESCRIPTION
  case $tty in
  '') return ;;
  ttyUSB*)
    cat >>"$description" <<DESCRIPTION
P: $place/$tty
E: SUBSYSTEM=usb-serial
A: port_number=0\n

DESCRIPTION
    place=$place/$tty
    major=188
    ;;
  ttyACM*) major=166 ;;
  esac
  # Without a node (N:): umockdev makes a pseudo-terminal of one, on whose name its realpath() breaks.
  cat >>"$description" <<DESCRIPTION
P: $place/tty/$tty
E: DEVNAME=/dev/$tty
E: MAJOR=$major
E: MINOR=$count
E: SUBSYSTEM=tty
A: dev=$major:$count\n

DESCRIPTION
  count=$((count + 1))
}

# options NUMBER…: one ttyUSB after the other, as the driver of most modems makes them.
options() {
  local number
  for number in "$@"; do interface "$number" ff/00/00 option "ttyUSB$count"; done
}

every_device() {
  device 2c7c 0125 EC25-E
  options 00 01 02 03
  interface 04 ff/ff/ff qmi_wwan
  check 'ttyUSB0 ignored -;ttyUSB1 ignored -;ttyUSB2 ignored at;ttyUSB3 ignored -;name ttyUSB2;device ignored on;' \
    'ttyUSB2 ttyUSB3 '

  device 1e0e 9001 SIM7600
  options 00 01 02 03 04
  check 'ttyUSB0 ignored -;ttyUSB1 ignored -;ttyUSB2 ignored at;ttyUSB3 ignored -;ttyUSB4 ignored -;name ttyUSB2;device ignored on;' \
    'ttyUSB2 ttyUSB3 '

  device 1e0e 9011 A7670
  interface 00 e0/01/03 rndis_host
  options 02 04 05
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored -;name ttyUSB1;device ignored on;' 'ttyUSB1 ttyUSB2 '

  device 19d2 0031 MF190
  options 00 01 03
  check 'ttyUSB0 ignored -;ttyUSB1 ignored -;ttyUSB2 ignored at;name ttyUSB2;device ignored on;' 'ttyUSB2 ttyUSB1 '

  device 1bc7 1201 LE910C1
  options 00 03 04 05 06
  check 'ttyUSB0 ignored -;ttyUSB1 ignored -;ttyUSB2 ignored at;ttyUSB3 ignored -;ttyUSB4 ignored -;name ttyUSB2;device ignored on;' \
    'ttyUSB2 ttyUSB3 '

  device 1e2d 0061 PLS8
  interface 00 02/02/01 cdc_acm ttyACM0
  interface 02 02/02/01 cdc_acm ttyACM1
  interface 04 02/02/01 cdc_acm ttyACM2
  interface 06 02/02/01 cdc_acm ttyACM3
  check 'ttyACM0 ignored -;ttyACM1 ignored at;ttyACM2 ignored -;ttyACM3 ignored -;name ttyACM1;device ignored on;' \
    'ttyACM1 ttyACM0 '

  device 2cb7 0007 L850-GL
  interface 02 02/02/01 cdc_acm ttyACM0
  interface 04 02/02/01 cdc_acm ttyACM1
  interface 06 02/02/01 cdc_acm ttyACM2
  check 'ttyACM0 ignored at;ttyACM1 ignored -;ttyACM2 ignored -;name ttyACM0;device ignored on;' 'ttyACM0 ttyACM2 '

  device 1546 1102 SARA-U270
  interface 00 02/02/01 cdc_acm ttyACM0
  interface 02 02/02/01 cdc_acm ttyACM1
  interface 06 02/02/01 cdc_acm ttyACM2
  check 'ttyACM0 ignored at;ttyACM1 seen -;ttyACM2 seen -;name ttyACM0;device ignored on;' 'ttyACM0 ttyACM1 '

  device 1546 01a8 'u-blox GNSS'
  interface 00 02/02/01 cdc_acm ttyACM0
  check 'ttyACM0 seen -;device seen auto;' 'missing '

  device 1199 9071 MC7455
  interface 00 ff/ff/ff qcserial ttyUSB0
  interface 02 ff/00/00 qcserial ttyUSB1
  interface 03 ff/00/00 qcserial ttyUSB2
  check 'ttyUSB0 ignored -;ttyUSB1 ignored -;ttyUSB2 ignored at;name ttyUSB2;device ignored on;' 'ttyUSB2 '

  # By class, whatever the number.
  device 12d1 1506 E3372-stick
  interface 00 ff/02/01 option ttyUSB0
  interface 01 ff/02/03 option ttyUSB1
  interface 02 ff/02/02 option ttyUSB2
  check 'ttyUSB0 ignored -;ttyUSB1 ignored -;ttyUSB2 ignored at;name ttyUSB2;device ignored on;' 'ttyUSB2 ttyUSB0 '

  device 12d1 1c05 E173
  interface 00 ff/03/12 option ttyUSB0
  interface 03 ff/03/01 option ttyUSB1
  check 'ttyUSB0 ignored at;ttyUSB1 ignored -;name ttyUSB0;device ignored on;' 'ttyUSB0 ttyUSB1 '

  # From before the classes, with three ports and with two.
  device 12d1 1001 E169
  interface 00 ff/ff/ff option ttyUSB0
  interface 01 ff/ff/ff option ttyUSB1
  interface 02 ff/ff/ff option ttyUSB2
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored at;name ttyUSB2;device ignored on;' \
    'ttyUSB2 ttyUSB1 ttyUSB0 '

  device 12d1 1003 E220
  interface 00 ff/ff/ff option ttyUSB0
  interface 01 ff/ff/ff option ttyUSB1
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;name ttyUSB1;device ignored on;' 'ttyUSB1 ttyUSB0 '

  # The network card among them has no port and shifts the rest; in 14ac the voice port too.
  device 12d1 140c E173
  interface 00 ff/ff/ff option ttyUSB0
  interface 01 ff/ff/ff qmi_wwan
  interface 02 ff/ff/ff option ttyUSB1
  interface 03 ff/ff/ff option ttyUSB2
  interface 04 08/06/50 usb-storage
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored at;name ttyUSB2;device ignored on;' \
    'ttyUSB2 ttyUSB1 ttyUSB0 '

  device 12d1 1436 E173
  interface 00 ff/ff/ff option ttyUSB0
  interface 01 02/06/00 cdc_ether
  interface 02 0a/00/00 cdc_ether
  interface 03 ff/ff/ff option ttyUSB1
  interface 04 ff/ff/ff option ttyUSB2
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored at;name ttyUSB2;device ignored on;' \
    'ttyUSB2 ttyUSB1 ttyUSB0 '

  device 12d1 14ac E1820
  interface 00 ff/ff/ff option ttyUSB0
  interface 01 ff/ff/ff qmi_wwan
  interface 02 ff/ff/ff option ttyUSB1
  interface 03 ff/ff/ff option ttyUSB2
  interface 04 ff/ff/ff option ttyUSB3
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored at;ttyUSB3 ignored at;name ttyUSB3;device ignored on;' \
    'ttyUSB3 ttyUSB1 ttyUSB2 ttyUSB0 '

  device 2c7c 6005 EC200A
  interface 00 02/06/00 cdc_ether
  interface 01 0a/00/00 cdc_ether
  options 02 03 04
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored -;name ttyUSB1;device ignored on;' 'ttyUSB1 ttyUSB2 '

  device 2c7c 6026 EC200T
  interface 00 02/06/00 cdc_ether
  interface 01 0a/00/00 cdc_ether
  options 02 03 04
  check 'ttyUSB0 ignored -;ttyUSB1 ignored at;ttyUSB2 ignored -;name ttyUSB1;device ignored on;' 'ttyUSB1 ttyUSB2 '

  device 2c7c 0901 EC200U
  interface 00 02/06/00 cdc_ether
  interface 01 0a/00/00 cdc_ether
  options 02 03 04 05 06 07 08
  check 'ttyUSB0 ignored at;ttyUSB1 ignored -;ttyUSB2 ignored -;ttyUSB3 ignored -;ttyUSB4 ignored -;ttyUSB5 ignored -;ttyUSB6 ignored -;name ttyUSB0;device ignored on;' \
    'ttyUSB0 ttyUSB5 '

  device 12d1 14dc HiLink
  interface 00 02/06/00 cdc_ether
  interface 01 0a/00/00 cdc_ether
  check 'device ignored on;' 'hilink '

  device 12d1 1446 'Mass Storage'
  interface 00 08/06/50 usb-storage
  check 'device ignored on;' 'storage_mode '

  device 19d2 2000 'ZTE Mass Storage'
  interface 00 08/06/50 usb-storage
  check 'device seen auto;' 'storage_mode '

  # Anything may hang on a bridge: it gets no name, and auto asks it only where nothing else is there.
  device 1a86 7523 'USB Serial'
  interface 00 ff/01/02 ch341 ttyUSB0
  check 'ttyUSB0 seen -;device seen auto;' 'ttyUSB0 '

  device 2341 0043 'Arduino Uno'
  interface 00 02/02/01 cdc_acm ttyACM0
  check 'ttyACM0 seen -;device seen auto;' 'missing '

  # An adapter that the operator has named, by its serial number; another one of the kind is left alone.
  device 0403 6001 FT232R A50285BI
  interface 00 ff/ff/ff ftdi_sio ttyUSB0
  name_adapter ttyUSB0
  check 'ttyUSB0 ignored at;name ttyUSB0;device ignored on;' 'ttyUSB0 '
  device 0403 6001 FT232R B60396CJ
  interface 00 ff/ff/ff ftdi_sio ttyUSB0
  check 'ttyUSB0 seen -;device seen auto;' 'ttyUSB0 '

  # One without a serial number is known by its socket, and of two ports one is named.
  device 10c4 ea70 CP2105 0001
  interface 00 ff/00/00 cp210x ttyUSB0
  interface 01 ff/00/00 cp210x ttyUSB1
  name_adapter ttyUSB1
  check 'ttyUSB0 seen -;ttyUSB1 ignored at;name ttyUSB1;device ignored on;' 'ttyUSB0 ttyUSB1 '
}
