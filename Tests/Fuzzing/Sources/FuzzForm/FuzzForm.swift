import FuzzSupport

/// Any body of a request is a form or none, within its bounds.
@main
struct FuzzForm {
  static func main() {
    Fuzzing.run { start, count in
      FuzzForm.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let bytes = input.all()
    guard let form = FormBody(bytes) else { return }
    require(form.parameters.count <= Limits.parameters, "parameters without bound")
    let octets = form.parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    require(octets <= bytes.count, "a form that is larger than its body")
    for (name, value) in form.parameters {
      let isSingle = form.parameters.filter { $0.name == name }.count == 1
      require(form[name] == (isSingle ? value : nil), "a parameter that is not found")
    }
  }
}
