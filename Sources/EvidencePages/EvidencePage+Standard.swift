extension EvidencePage {
  /// The template of a standard page: one file without anything from elsewhere, in black on white, on A4 and on a
  /// phone.
  ///
  /// - Parameter isInternal: Whether it is central's own, and not the driver's.
  public static func standard(isInternal: Bool) -> String {
    isInternal ? internalPage : driversPage
  }

  /// What the driver is given: what was seen, what is allowed, the photographs, and room to sign.
  private static let driversPage = """
    <!DOCTYPE html>
    <html lang="{{language}}">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{{title}} {{number}}</title>
    <style>
    @page { size: A4; margin: 14mm; }
    body { font: 11pt/1.45 "Noto Sans", "Noto Sans Devanagari", sans-serif; color: #000; background: #fff;
      max-width: 48rem; margin: 1rem auto; padding: 0 1rem; }
    h1 { font-size: 20pt; margin: 0; }
    p { margin: 0.3em 0; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25em 1.2em; margin: 1em 0; }
    dt { font-weight: bold; }
    dd { margin: 0; overflow-wrap: anywhere; }
    dl div:first-child dd { font-size: 15pt; font-weight: bold; }
    dl div { display: contents; }
    .retracted { border: 2px solid #000; padding: 0.4em 0.6em; font-weight: bold; }
    .photographs { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; margin: 1em 0; }
    figure { margin: 0; break-inside: avoid; }
    img { display: block; max-width: 100%; max-height: 95mm; margin: 0 auto 0.3em; }
    .absent { border: 1px dashed #777; padding: 1.2em; text-align: center; margin-bottom: 0.3em; }
    figcaption { font-size: 9pt; }
    .signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 3em; margin-top: 4em; break-inside: avoid; }
    .signatures div { border-top: 1px solid #000; padding-top: 0.3em; }
    footer { margin-top: 1.5em; font-size: 8.5pt; color: #444; overflow-wrap: anywhere; }
    @media (max-width: 34rem) {
      dl { display: block; }
      dl div { display: block; margin-bottom: 0.6em; }
      .photographs { grid-template-columns: 1fr; }
      .signatures { gap: 1.2em; }
    }
    </style>
    </head>
    <body>
    <h1>{{title}}</h1>
    <p{{#retracted}} class="retracted"{{/retracted}}>{{standing}}</p>
    <dl>
    {{#facts}}
    <div><dt>{{label}}</dt><dd>{{value}}</dd></div>
    {{/facts}}
    </dl>
    <div class="photographs">
    {{#photographs}}
    <figure>
    {{#is_here}}
    <img src="{{source}}" alt="{{caption}}">
    {{/is_here}}
    {{^is_here}}
    <div class="absent">{{absent}}</div>
    {{/is_here}}
    <figcaption>{{caption}}</figcaption>
    </figure>
    {{/photographs}}
    </div>
    {{^retracted}}
    <div class="signatures"><div>{{labels.officer}}</div><div>{{labels.driver}}</div></div>
    {{/retracted}}
    <footer>{{footer}}</footer>
    </body>
    </html>

    """

  /// Central's own: all that is known, what could make it wrong, and who could have forged it.
  private static let internalPage = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{{title}} {{identifier}}</title>
    <style>
    @page { size: A4; margin: 16mm; }
    body { font: 10.5pt/1.4 sans-serif; color: #000; max-width: 62rem; margin: 1rem auto; padding: 0 1rem; }
    h1 { font-size: 18pt; margin: 0; }
    h2 { font-size: 12pt; margin: 1.2em 0 0.3em; }
    p { margin: 0.3em 0; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2em 1.2em; margin: 0.8em 0; }
    dt { font-weight: bold; }
    dd { margin: 0; }
    table { border-collapse: collapse; width: 100%; font-size: 8.5pt; }
    .table { overflow-x: auto; }
    th, td { border: 1px solid #999; padding: 0.2em 0.4em; text-align: left; vertical-align: top; }
    th { white-space: nowrap; }
    td:last-child { overflow-wrap: anywhere; }
    tr, li, dl { break-inside: avoid; }
    .retracted { border: 2px solid #000; padding: 0.4em 0.6em; font-weight: bold; }
    .signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 3em; margin-top: 4em; }
    .signatures div { border-top: 1px solid #000; padding-top: 0.3em; }
    footer { margin-top: 2em; font-size: 8.5pt; color: #444; }
    </style>
    </head>
    <body>
    <h1>{{title}}</h1>
    <p{{#retracted}} class="retracted"{{/retracted}}>{{standing}}</p>
    <dl>
    {{#facts}}
    <dt>{{label}}</dt><dd>{{value}}</dd>
    {{/facts}}
    </dl>
    <h2>What could make it wrong</h2>
    <ul>
    {{#doubts}}
    <li>{{.}}</li>
    {{/doubts}}
    {{^doubts}}
    <li>Nothing that is known.</li>
    {{/doubts}}
    </ul>
    <h2>Who could have forged it</h2>
    <ul>
    {{#forgers}}
    <li>{{.}}</li>
    {{/forgers}}
    </ul>
    {{#tables}}
    <h2>{{title}}</h2>
    <div class="table">
    <table>
    <thead><tr>{{#columns}}<th>{{.}}</th>{{/columns}}</tr></thead>
    <tbody>
    {{#rows}}
    <tr>{{#cells}}<td>{{.}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody>
    </table>
    </div>
    {{/tables}}
    {{^retracted}}
    <div class="signatures"><div>Looked at by, date</div></div>
    {{/retracted}}
    <footer>Violation {{number}}, {{identifier}}, printed on {{printed_at}}.</footer>
    </body>
    </html>

    """
}
