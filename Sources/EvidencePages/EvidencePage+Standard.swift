extension EvidencePage {
  /// The template of the standard page: one file without anything from elsewhere, in black on white, on A4.
  public static let standard = """
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
    <table>
    <thead><tr>{{#columns}}<th>{{.}}</th>{{/columns}}</tr></thead>
    <tbody>
    {{#rows}}
    <tr>{{#cells}}<td>{{.}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody>
    </table>
    {{/tables}}
    {{^retracted}}
    <div class="signatures"><div>Officer, date</div><div>Driver, date</div></div>
    {{/retracted}}
    <footer>Violation {{number}}, {{identifier}}, printed on {{printed_at}}.</footer>
    </body>
    </html>

    """
}
