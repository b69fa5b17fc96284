import Judging

/// The skeleton of the page of a check; what is in braces is escaped, except the style and the picture.
enum CheckTemplate {
  static let style = """
    .tl{display:block;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    .tl text{fill:var(--ink)}.tl .soft{fill:var(--soft)}.tl .grid{stroke:var(--line);stroke-width:1}
    .tl .up{fill:var(--card);stroke:var(--line)}.tl .att{stroke:var(--link);fill:none}
    .tl .open{stroke:var(--odd);stroke-dasharray:2 2;stroke-width:2}.tl .enc{fill:var(--waivebg);stroke:var(--waive)}
    .tl .fail,.tl .error{fill:var(--bad)}.tl .inconclusive{fill:var(--maybe)}
    .wide th{white-space:nowrap;overflow-wrap:normal}.mono td{font-variant-numeric:tabular-nums}
    .mono td{white-space:nowrap}.mono td.wrap{white-space:normal}
    .key span{margin-right:16px;color:var(--soft)}.key i{display:inline-block;width:11px;height:11px;margin-right:5px;
    vertical-align:-1px;border:1px solid var(--line)}
    @media print{.tl{max-width:100%;height:auto}.finding{break-inside:avoid}.mono td{white-space:normal}}

    """

  static let text = head + tables + foot

  private static let head = PageHead.template(title: "{{verdict}}: {{names}}") + top

  private static let top = """
    <header class="top {{kind}}"><h1><span class="badge {{kind}}">{{verdict}}</span> {{names}}</h1>
    <p class="sub">babbench {{version}} check · {{records}} records · {{linkCount}} links · {{span}} s</p>
    <div class="repeat"><code>{{repeat}}</code></div>
    {{#notes}}<p class="remark">{{.}}</p>{{/notes}}</header>
    <main><section><h2>Captures</h2><div class="wide"><table class="mono"><tr><th>capture<th>format<th>link type\
    <th>records<th>span/s{{#clocks}}<th>clock/s{{/clocks}}</tr>
    {{#captures}}<tr><td><b>{{name}}</b><td>{{format}}<td class="wrap">{{types}}<td>{{records}}<td>{{span}}{{#clocks}}\
    <td class="wrap">{{clock}}{{/clocks}}</tr>
    {{/captures}}</table></div></section>
    <section><h2>Timeline</h2><div class="wide">{{{timeline}}}</div>
    <p class="key"><span><i style="background:var(--card)"></i>link up</span>\
    <span><i style="background:var(--waivebg)"></i>link up, encrypted at some time</span>\
    <span><i style="background:var(--link)"></i>ATT PDUs</span>\
    <span><i style="background:var(--bad)"></i>finding</span>\
    <span>dashed edge: came up before the capture</span></p></section>

    """

  private static let tables = """
    <section><h2>General rules</h2><div class="wide"><table><tr><th>verdict<th>rule<th>judged<th>open<th>findings</tr>
    {{#rules}}<tr><td><span class="badge {{kind}}">{{verdict}}</span><td><b>{{id}}</b> {{claim}} \
    <span class="where">{{clause}}</span><td>{{judged}}<td>{{open}}<td>{{findings}}</tr>
    {{/rules}}</table></div></section>
    {{#protocol}}<section><h2>Protocol {{name}}, dialect {{dialect}}</h2>
    <p>{{#devices}}<span class="tally"><b>{{name}}</b> {{role}} {{address}}</span>{{/devices}}</p>
    <div class="wide"><table><tr><th>verdict<th>oracle<th>judged<th>open<th>findings</tr>
    {{#oracles}}<tr><td><span class="badge {{kind}}">{{verdict}}</span><td><b>{{id}}</b> {{claim}} \
    <span class="where">{{clause}}</span><td>{{judged}}<td>{{open}}<td>{{findings}}</tr>
    {{/oracles}}</table></div></section>{{/protocol}}
    {{#hasFindings}}<section><h2>Findings</h2>{{#findings}}<dl class="finding {{kind}}" id="{{anchor}}">\
    <dt>{{verdict}}<dd><b>{{id}}</b> at {{time}} s<dt>where<dd>{{place}}, {{culprit}}<dt>expected<dd>{{expected}}\
    <dt>saw<dd class="actual">{{actual}}<dt>clause<dd>{{clause}}</dl>
    {{/findings}}{{#moreFindings}}<p>… and {{moreFindings}} more: see the JSON.</p>{{/moreFindings}}</section>\
    {{/hasFindings}}
    {{#links}}<section><h2>Links</h2><div class="wide"><table class="mono"><tr><th>link<th>capture<th>handle<th>central\
    <th>peripheral<th>from/s<th>to/s<th>begins<th>ATT_MTU<th>encrypted<th>ATT PDUs<th>gaps</tr>
    {{#rows}}<tr><td>{{index}}<td>{{capture}}<td><code>{{handle}}</code><td>{{central}}<td>{{peripheral}}<td>{{from}}\
    <td>{{to}}<td>{{begins}}<td>{{mtu}}<td>{{encrypted}}<td>{{pdus}}<td>{{gaps}}</tr>
    {{/rows}}</table></div></section>{{/links}}
    {{#moreLinks}}<p>… and {{moreLinks}} more links: see the JSON.</p>{{/moreLinks}}

    """

  private static let foot = """
    </main><footer>Written by babbench {{version}}. One file, no network: it can be mailed, archived, printed.</footer>
    </body></html>

    """
}
