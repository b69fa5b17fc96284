import Judging

/// The skeleton of the page of a check; what is in braces is escaped, except the style and the picture.
enum CheckTemplate {
  static let style = """
    .tl{display:block;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;width:100%;height:auto;
    min-width:760px}
    .tl text{fill:var(--ink)}.tl .soft{fill:var(--soft)}.tl .grid{stroke:var(--line);stroke-width:1}
    .tl .up{fill:var(--card);stroke:var(--line)}.tl .att{stroke:var(--link);fill:none}
    .tl .open{stroke:var(--odd);stroke-dasharray:2 2;stroke-width:2}.tl .enc{fill:var(--waivebg);stroke:var(--waive)}
    .tl .fail,.tl .error{fill:var(--bad)}.tl .inconclusive{fill:var(--maybe)}
    .wide th{white-space:nowrap;overflow-wrap:normal}.mono td{font-variant-numeric:tabular-nums}
    .mono td{overflow-wrap:normal}.mono td.name{overflow-wrap:anywhere}.mono .one{white-space:nowrap}
    .scene{margin:2px 0 0;grid-column:1/-1}.scene summary{padding:4px 0;color:var(--c)}
    .scene table{font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    .scene td{padding:1px 10px 1px 0;border:0;white-space:nowrap;overflow-wrap:normal}
    .scene td.text{white-space:normal;overflow-wrap:anywhere;width:99%}.scene .it td{color:var(--c);font-weight:700}
    .scene .octets{margin-top:8px}.scene pre{color:var(--ink)}.scene pre+pre{white-space:pre-wrap;
    overflow-wrap:anywhere}.group-head{margin-top:1.4rem}
    .fold{border:1px solid var(--line);border-radius:6px;margin:10px 0;padding:0 12px}
    .fold[open]{padding-bottom:10px}.fold>summary{padding:8px 0}
    .key span{margin-right:16px;color:var(--soft)}.key i{display:inline-block;width:11px;height:11px;margin-right:5px;
    vertical-align:-1px;border:1px solid var(--line)}
    @media(max-width:640px){.scene td{white-space:normal}}
    @media print{.tl{min-width:0}.finding{break-inside:auto}.group-head{break-after:avoid}.octets{display:block}}

    """

  static let text = head + findings + links + rules + foot

  private static let head = PageHead.template(title: "{{verdict}}: {{names}}") + top

  private static let top = """
    <header class="top {{kind}}"><h1><span class="badge {{kind}}">{{verdict}}</span> {{names}}</h1>
    <p class="sub">babbench {{version}} check · {{findingCount}} findings · {{records}} records · {{linkCount}} links \
    · {{span}} s</p>
    <div class="repeat"><code>{{repeat}}</code></div></header>
    <main>

    """

  private static let findings = """
    {{#groups}}<section><h2 class="group-head"><span class="badge {{kind}}">{{verdict}}</span> {{id}}</h2>
    <p class="sub">{{claim}} <span class="where">{{clause}}</span> {{counted}}, {{judged}} judged, {{open}} open</p>
    {{#findings}}<dl class="finding {{kind}}" id="{{anchor}}"><dt>{{verdict}}<dd>{{time}} s, {{place}}, {{culprit}}\
    <dt>expected<dd>{{expected}}<dt>saw<dd class="actual">{{actual}}<dt>clause<dd>{{clause}}
    {{#scene}}<dd class="scene"><details{{unfold}}><summary>the packet and those around it</summary>
    <table>{{#lines}}<tr{{#it}} class="it"{{/it}}>{{#file}}<td>{{.}}{{/file}}<td>{{number}}<td>{{time}}\
    <td>{{direction}}<td class="text">{{text}}</tr>
    {{/lines}}</table><div class="octets"><pre>{{octets}}</pre><pre>{{layers}}</pre></div></details>{{/scene}}</dl>
    {{/findings}}{{#further}}<p>… and {{.}} more of this kind.</p>{{/further}}</section>
    {{/groups}}{{#moreFindings}}<p>… and {{moreFindings}} more: see the JSON.</p>{{/moreFindings}}
    {{#reasons}}<section><h2>What is inconclusive, and why</h2>{{#lines}}<p class="remark">{{.}}</p>{{/lines}}</section>
    {{/reasons}}
    """

  private static let links = """
    <section><h2>Timeline</h2><div class="wide">{{{timeline}}}</div>
    <p class="key"><span><i style="background:var(--card)"></i>link up</span>\
    <span><i style="background:var(--waivebg)"></i>link up, encrypted at some time</span>\
    <span><i style="background:var(--link)"></i>ATT PDUs</span>\
    <span><i style="background:var(--bad)"></i>finding</span>\
    <span>dashed edge: came up before the capture</span></p></section>
    {{#links}}<section><h2>Links</h2><div class="wide"><table class="mono"><tr><th>link<th>device, handle\
    <th>central<br>peripheral<th>from/s<br>to/s<th>begins<th>interval/ms / latency<br>/ timeout/ms<th>PHY / data\
    <th>ATT_MTU<th>enc.<th>ATT PDUs<th>gaps</tr>
    {{#rows}}<tr><td>{{index}}<td class="name">{{#peerName}}<b>{{.}}</b> {{/peerName}}<code>{{handle}}</code>\
    {{#clocks}}<br>{{capture}}{{/clocks}}<td><span class="one">{{central}}</span><br>\
    <span class="one">{{peripheral}}</span><td>{{from}}<br>{{to}}<td>{{begins}}<td>{{parameters}}<td>{{radio}}\
    <td>{{mtu}}<td>{{encrypted}}<td>{{pdus}}<td>{{gaps}}</tr>
    {{/rows}}</table></div></section>{{/links}}
    {{#moreLinks}}<p>… and {{moreLinks}} more links: see the JSON.</p>{{/moreLinks}}
    {{#streams}}<section><h2>Streams</h2><div class="wide"><table class="mono"><tr><th>stream<th>capture\
    <th>client<br>server<th>from/s<br>to/s<th>begins<th>octets of the client<br>of the server<th>gaps<th>end</tr>
    {{#rows}}<tr><td>{{index}}<td class="name">{{place}}<td><span class="one">{{client}}</span><br>\
    <span class="one">{{server}}</span><td>{{from}}<br>{{to}}<td>{{begins}}<td>{{clientOctets}}<br>{{serverOctets}}\
    <td>{{gaps}}<td>{{end}}</tr>
    {{/rows}}</table></div>{{#more}}<p>… and {{.}} more streams: see the JSON.</p>{{/more}}</section>{{/streams}}
    {{#services}}<section><h2>Services</h2><div class="wide"><table class="mono"><tr><th>service<th>capture<th>host\
    <th>port<th>addresses<th>state</tr>
    {{#rows}}<tr><td class="name">{{name}}<td>{{place}}<td>{{host}}<td>{{port}}<td>{{addresses}}<td>{{state}}</tr>
    {{/rows}}</table></div>{{#more}}<p>… and {{.}} more services: see the JSON.</p>{{/more}}</section>{{/services}}
    <section><h2>Captures</h2><div class="wide"><table class="mono"><tr><th>capture<th>format<th>link type\
    <th>records<th>span/s{{#clocks}}<th>clock/s{{/clocks}}</tr>
    {{#captures}}<tr><td class="name"><b>{{name}}</b><td>{{format}}<td>{{types}}<td>{{records}}<td>{{span}}\
    {{#clocks}}<td>{{clock}}{{/clocks}}</tr>
    {{/captures}}</table></div>
    {{#notes}}<details class="fold"><summary>{{count}} notes: what could not be read or judged, and why</summary>
    {{#lines}}<p class="remark">{{.}}</p>{{/lines}}</details>{{/notes}}</section>

    """

  private static let rules = """
    <section><h2>Rules</h2>{{#rules}}\(table){{/rules}}</section>
    {{#protocol}}<section><h2>Protocol {{name}}, dialect {{dialect}}</h2>
    <p>{{#devices}}<span class="tally"><b>{{name}}</b> {{role}} {{address}}</span>{{/devices}}</p>
    {{#oracles}}\(table){{/oracles}}</section>{{/protocol}}

    """

  /// Rules or oracles without findings.
  private static let table = """
    <details class="fold"><summary>{{summary}}</summary><div class="wide"><table><tr><th>verdict<th>claim<th>judged\
    <th>open</tr>
    {{#rows}}<tr><td><span class="badge {{kind}}">{{verdict}}</span><td><b>{{id}}</b> {{claim}} \
    <span class="where">{{clause}}</span>{{#reason}}<br>{{.}}{{/reason}}<td>{{judged}}<td>{{open}}</tr>
    {{/rows}}</table></div></details>
    """

  private static let foot = """
    </main><footer>Written by babbench {{version}}. One file, no network: it can be mailed, archived, printed.</footer>
    </body></html>

    """
}
