import Judging

/// The skeleton of the report; what is in braces is escaped, except the style, the script and the chart.
enum PageTemplate {
  static let text = head + matrix + cases + foot

  private static let head = PageHead.template(title: "{{verdict}}: {{names}}", runsScripts: true) + top

  private static let top = """
    <header class="top {{kind}}"><h1><span class="badge {{kind}}">{{verdict}}</span> {{names}}</h1>
    <p class="sub">babbench {{version}} conform · {{caseCount}} cases · {{purposeCount}} test purposes \
    · {{subject}}{{#wall}} · {{wall}}{{/wall}}</p>
    <div class="counts">{{#counts}}<button type="button" class="count {{kind}}" data-kind="{{kind}}" \
    aria-pressed="false"><b>{{count}}</b> {{words}}</button>{{/counts}}{{#helped}}<span class="count {{kind}}">\
    <b>{{count}}</b> {{words}}</span>{{/helped}}</div>
    <div class="repeat"><code>{{repeat}}</code><button type="button" class="copy">copy</button></div>
    {{#remarks}}<p class="remark">{{.}}</p>{{/remarks}}</header>
    <main>{{#causes}}<section class="urgent"><h2>What to fix first</h2>{{#rows}}{{#heading}}<h3>{{heading}}</h3>\
    {{/heading}}<div>\
    <span class="badge {{kind}}">{{verdict}}</span> <b>{{title}}</b><br>\
    <a href="#{{anchor}}"><code>{{purpose}}</code></a> <span class="where">{{where}}</span> {{why}}</div>{{/rows}}\
    {{#more}}<div>… and {{more}} more causes: press a verdict above to filter.</div>{{/more}}</section>{{/causes}}
    <section class="iuts"><h2>Implementations</h2><div class="wide"><table>
    <tr><th>name<th>role<th>dialects<th>comes from<th>claims<th>waivers</tr>
    {{#implementations}}<tr><td><b>{{name}}</b><td>{{role}}<td>{{dialects}}<td><code>{{origin}}</code><td>{{ics}}<td>\
    {{#waivers}}<div><code>{{pattern}}</code>: {{reason}}{{#idle}} <b class="warn">{{idle}}</b>{{/idle}}</div>\
    {{/waivers}}{{^waivers}}no waivers{{/waivers}}</tr>
    {{/implementations}}</table></div></section>
    {{#baseline}}<section class="baseline"><h2>Against {{path}}</h2>
    <p>{{#lists}}<span class="{{kind}} tally">{{count}} {{title}}</span>{{/lists}}</p>
    {{#lists}}{{#hasRows}}<h3>{{title}}</h3>{{/hasRows}}{{#rows}}<div class="change">{{#href}}<a href="{{href}}">\
    {{text}}</a>{{/href}}{{^href}}{{text}}{{/href}}{{#was}} <span class="{{wasKind}}">{{was}}</span> → \
    <span class="{{nowKind}}">{{now}}</span>{{/was}}</div>{{/rows}}{{/lists}}</section>{{/baseline}}

    """

  private static let matrix = """
    <section class="matrix"><h2>Matrix</h2>
    <div class="filter"><input type="search" id="words" placeholder="filter: id, clause, words" \
    aria-label="filter" autocomplete="off"><span id="shown" role="status"></span>
    <button type="button" id="open">open shown</button><button type="button" id="close">close all</button></div>
    <div class="wide"><table class="cases"><thead><tr><th>test purpose{{#columns}}<th><span>{{iut}}</span>\
    <span>{{dialect}}</span>{{/columns}}</tr></thead>
    {{#groups}}<tbody><tr class="group"><th colspan="{{span}}">{{name}} <span>{{title}}</span>{{#summary}}\
    <span class="{{kind}}">{{symbol}} {{count}}</span>{{/summary}}</th></tr>
    {{#rows}}<tr class="row" data-text="{{search}}" data-kinds="{{kinds}}"><th><b>{{short}}</b> {{sentence}}</th>\
    {{#cells}}<td>{{#marks}}<a class="mark {{kind}}" href="#{{anchor}}" title="{{title}}">{{symbol}}</a>{{/marks}}\
    {{/cells}}</tr>
    {{/rows}}</tbody>{{/groups}}</table></div>
    <p class="legend">{{#counts}}<span><span class="mark {{kind}}">{{symbol}}</span> {{words}}</span>{{/counts}}</p>
    </section>

    """

  private static let cases = """
    <section class="list"><h2>Cases</h2>
    {{#cases}}<details class="case {{kind}}{{#isBad}} bad{{/isBad}}" id="{{anchor}}" data-kind="{{kind}}" \
    data-text="{{search}}"><summary><span class="badge {{kind}}">{{verdict}}</span> <code>{{purpose}}</code> \
    <span class="where">{{dialect}}{{#seed}}, seed {{seed}}{{/seed}} · {{iut}}</span> <span class="sentence">\
    {{sentence}}</span></summary><div class="body">
    {{#breakdown}}<dl class="finding">{{#crash}}<dt>crash<dd class="actual"><b>{{place}}</b> {{text}}{{/crash}}\
    {{#end}}<dt>end<dd>{{end}}{{/end}}{{#output}}<dt>last output<dd><code>{{output}}</code>{{/output}}\
    {{#errors}}<dt>standard error<dd><pre class="log">{{errors}}</pre>{{/errors}}</dl>{{/breakdown}}
    {{#finding}}<dl class="finding">{{#clause}}<dt>requirement<dd><b>{{clause}}</b> {{clauseText}}{{/clause}}\
    <dt>expected<dd>{{expected}}<dt>actual<dd class="actual">{{actual}}<dt>first diverging event\
    <dd>{{event}}</dl>{{/finding}}
    {{#remarks}}<p class="remark">{{.}}</p>{{/remarks}}
    <div class="repeat"><code>{{repeat}}</code><button type="button" class="copy">copy</button></div>
    <dl>{{#clauses}}<dt>{{id}}<dd>{{text}}{{/clauses}}<dt>initial condition<dd>{{initial}}\
    <dt>{{outcomeTitle}}{{#outcomes}}<dd>{{.}}{{/outcomes}}{{#notApplicable}}<dt>not applicable<dd>{{notApplicable}}\
    {{/notApplicable}}{{#files}}<dt>files<dd>{{#list}}<a href="{{href}}">{{name}}</a> {{/list}}{{/files}}\
    {{#ran}}<dt>run<dd>{{checks}} in {{end}} s, digest <code>{{digest}}</code>{{/ran}}</dl>
    {{#steps}}<h3>Procedure as run</h3><pre class="steps">{{#lines}}<span class="{{kind}}">{{text}}</span>
    {{/lines}}{{plain}}</pre>{{/steps}}
    {{#chart}}<h3>Sequence</h3><div class="wide">{{{chart}}}</div>{{/chart}}
    {{#evidence}}<h3>{{title}}</h3><p>{{about}}</p>{{#problem}}<p class="remark">{{problem}}</p>{{/problem}}
    <div class="octets"><pre>{{dump}}</pre>{{#hasText}}<pre>{{json}}</pre>{{/hasText}}</div>{{/evidence}}
    {{#log}}<h3>Log of the implementation</h3><pre class="log">{{log}}</pre>{{/log}}
    </div></details>
    {{/cases}}</section>

    """

  private static let foot = """
    </main><footer>Written by babbench {{version}}. One file, no network: it can be mailed, archived, printed.</footer>
    <script>{{{script}}}</script></body></html>

    """
}
