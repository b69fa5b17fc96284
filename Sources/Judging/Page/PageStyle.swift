/// The style of the report: phones, desks, paper; dark and light.
package enum PageStyle {
  package static let text = colours + layout + chart + small

  private static let colours = """
    :root{--paper:#fff;--ink:#1b1f24;--soft:#59636e;--line:#d8dee4;--card:#f6f8fa;--link:#0757ba;
    --good:#137333;--goodbg:#dff5e3;--bad:#b3141d;--badbg:#ffe4e2;--maybe:#7d5600;--maybebg:#fff2c6;
    --err:#6b2fb3;--errbg:#f0e6fd;--waive:#0b5a75;--waivebg:#d9f0f8;--odd:#a3420a;--oddbg:#ffe8d6;--na:#6e7781;
    --nabg:#eceff2}
    @media(prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#e4e9ee;--soft:#9aa5b1;--line:#313943;
    --card:#171c23;--link:#7fb5ff;--good:#6fd88a;--goodbg:#12351d;--bad:#ff8f88;--badbg:#4a1517;--maybe:#f0c859;
    --maybebg:#3d3008;--err:#cfa8ff;--errbg:#34204f;--waive:#7fd0ec;--waivebg:#0d3442;--odd:#ffb27d;
    --oddbg:#45260f;--na:#97a1ab;--nabg:#262d35}}
    .pass{--c:var(--good);--b:var(--goodbg)}.fail{--c:var(--bad);--b:var(--badbg)}
    .inconclusive,.blocked{--c:var(--maybe);--b:var(--maybebg)}.error{--c:var(--err);--b:var(--errbg)}
    .waived{--c:var(--waive);--b:var(--waivebg)}.unexpectedPass{--c:var(--odd);--b:var(--oddbg)}
    .notApplicable,.none{--c:var(--na);--b:var(--nabg)}

    """

  private static let layout = """
    *{box-sizing:border-box}html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
    body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
    header,main,footer{max-width:1180px;margin:0 auto;padding:0 20px}
    header.top{padding-top:22px;padding-bottom:6px}
    h1{font-size:1.55rem;line-height:1.3;margin:0;display:flex;gap:.6rem;align-items:center;flex-wrap:wrap;
    overflow-wrap:anywhere}
    h2{font-size:1.15rem;margin:2rem 0 .6rem}h3{font-size:.95rem;margin:1.3rem 0 .4rem}
    a{color:var(--link)}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
    .sub{color:var(--soft);margin:.4rem 0 1rem}
    .badge{display:inline-block;background:var(--b);color:var(--c);border-radius:5px;padding:1px 9px;
    font-weight:650;font-size:.82rem;white-space:nowrap}h1 .badge{font-size:1.15rem;padding:3px 14px;
    text-transform:uppercase;letter-spacing:.03em}
    button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;
    padding:3px 11px;cursor:pointer}button:focus-visible,a:focus-visible,summary:focus-visible,
    input:focus-visible{outline:2px solid var(--link);outline-offset:1px}
    .counts{display:flex;flex-wrap:wrap;gap:8px;margin-bottom:12px}
    .count{border-color:transparent;background:var(--b);color:var(--c);padding:5px 13px}
    .count b{font-size:1.15rem;margin-right:2px}.count[aria-pressed=true]{border-color:var(--c);
    box-shadow:inset 0 0 0 1px var(--c)}
    .repeat{display:flex;gap:8px;align-items:flex-start;margin:10px 0}.repeat code{flex:1;background:var(--card);
    border:1px solid var(--line);border-radius:6px;padding:6px 10px;overflow-wrap:anywhere;min-width:0}
    .remark{background:var(--maybebg);color:var(--maybe);border-radius:6px;padding:6px 12px;margin:8px 0;
    overflow-wrap:anywhere}.warn{color:var(--bad)}
    .wide{overflow-x:auto;-webkit-overflow-scrolling:touch}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:5px 10px 5px 0;
    border-bottom:1px solid var(--line);overflow-wrap:anywhere}.iuts th{color:var(--soft);font-weight:500;
    font-size:.85rem}.iuts td{min-width:5.5rem}
    .tally{display:inline-block;margin-right:14px;color:var(--c)}.urgent div{margin:5px 0;overflow-wrap:anywhere}
    .urgent a{text-decoration:none}.urgent a code{font-weight:600}
    .change{font-size:.9rem;padding:1px 0}.change span{color:var(--c);font-weight:600}
    .filter{display:flex;gap:10px;align-items:center;flex-wrap:wrap;padding:8px 0;background:var(--paper)}
    .filter input{flex:1;min-width:180px;font:inherit;color:inherit;background:var(--card);
    border:1px solid var(--line);border-radius:6px;padding:6px 10px}#shown{color:var(--soft);font-size:.88rem}
    .cases th{font-weight:400}.cases thead th{font-weight:600;font-size:.84rem;vertical-align:bottom;
    background:var(--paper)}.cases thead span{display:block}.cases thead th+th{text-align:center;padding:4px 6px;
    max-width:9.5rem;overflow-wrap:normal}.cases thead span+span{color:var(--soft);font-weight:400}
    .cases td{text-align:center;padding:4px 6px;vertical-align:middle;white-space:nowrap;min-width:64px}
    .cases .row th{padding-left:10px;font-size:.9rem;min-width:14rem}
    .row:hover th,.row:hover td{background:var(--card)}
    .group th{font-weight:700;padding-top:18px;border-bottom:2px solid var(--line)}.group th span{font-weight:400;
    color:var(--soft);margin-right:10px}.group th span[class]{color:var(--c);white-space:nowrap}
    .mark{display:inline-block;min-width:26px;text-align:center;text-decoration:none;border-radius:5px;
    background:var(--b);color:var(--c);font-weight:700;margin:1px;padding:0 5px}
    a.mark:hover{box-shadow:0 0 0 2px var(--c)}
    .legend{display:flex;gap:14px;flex-wrap:wrap;color:var(--soft);font-size:.86rem}
    .case{border:1px solid var(--line);border-left:5px solid var(--c);border-radius:6px;margin:7px 0;
    content-visibility:auto;contain-intrinsic-size:auto 46px}
    summary{cursor:pointer;padding:8px 12px;overflow-wrap:anywhere}summary code{font-weight:600}
    .where{color:var(--soft);font-size:.88rem;margin-right:6px}.case[open]>summary{border-bottom:1px solid var(--line)}
    .body{padding:6px 14px 16px}.case:target{box-shadow:0 0 0 3px var(--c)}
    dl{display:grid;grid-template-columns:minmax(7.5rem,max-content) 1fr;gap:5px 16px;margin:12px 0}
    dt{color:var(--soft);grid-column:1}dd{margin:0;grid-column:2;overflow-wrap:anywhere;min-width:0}
    .finding{background:var(--b);border-radius:6px;padding:10px 14px}.finding dt{color:var(--c);font-weight:600}
    .actual{font-weight:650}
    pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:9px 12px;margin:6px 0;
    overflow-x:auto;line-height:1.5}.steps,.log{white-space:pre-wrap;overflow-wrap:anywhere}
    .steps .ok{color:var(--good)}.steps .no{color:var(--bad);font-weight:700}.log{max-height:24rem;overflow:auto}
    .octets{display:grid;grid-template-columns:max-content minmax(16rem,1fr);gap:12px;align-items:start}
    .octets pre{max-height:30rem;overflow:auto;margin:0}
    footer{color:var(--soft);font-size:.85rem;padding:26px 20px 34px}[hidden]{display:none!important}

    """

  private static let chart = """
    .chart{display:block;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--ink)}
    .chart text{fill:currentColor}.chart .life{stroke:var(--line);stroke-width:2}
    .chart rect.lane{fill:var(--card);stroke:var(--line)}.chart rect.iut{stroke:var(--link);stroke-width:2}
    .chart text.name{font-weight:700}.chart text.time,.chart text.gap{fill:var(--soft)}
    .chart text.step{fill:var(--soft);paint-order:stroke;stroke:var(--paper);stroke-width:4px}
    .chart text.good{fill:var(--good)}.chart text.bad{fill:var(--bad);font-weight:700}
    .chart text.act{fill:var(--soft);font-style:italic;paint-order:stroke;stroke:var(--paper);stroke-width:4px}
    .chart .dot{fill:var(--soft)}.chart .link{stroke:var(--good);stroke-width:2;stroke-dasharray:2 3;fill:none}
    .chart .link.end{stroke:var(--odd)}.chart .gap{stroke:var(--line);stroke-dasharray:1 4}
    .chart text.gap{stroke:var(--paper);stroke-width:6px;paint-order:stroke}
    .chart .packet .line{stroke:var(--ink);stroke-width:1.4;fill:none}.chart .packet .tip{fill:var(--ink)}
    .chart .packet .label{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
    .chart .odd .line{stroke:var(--odd);stroke-dasharray:5 3}.chart .odd .tip,.chart .odd .label{fill:var(--odd)}
    .chart .here .line{stroke:var(--bad);stroke-width:2.4}.chart .here .tip,.chart .here .label{fill:var(--bad)}
    .chart .newest .line{stroke:var(--link);stroke-width:2.4}.chart .newest .tip,
    .chart .newest .label{fill:var(--link)}
    .chart .here .label,.chart .newest .label{font-weight:700}.chart path.verdict{stroke:var(--bad);stroke-width:2.5}
    .chart text.verdict{fill:var(--bad);font-weight:700;font-size:12px;paint-order:stroke;stroke:var(--paper);
    stroke-width:4px}

    """

  private static let small = """
    @media(max-width:640px){body{font-size:14px}header,main,footer{padding-left:13px;padding-right:13px}
    h1{font-size:1.25rem}.cases .row th{min-width:9.5rem;padding-left:0}.cases td{min-width:46px;padding:4px 2px}
    .cases thead th+th{padding:4px 2px;max-width:5.2rem;font-size:.75rem}
    dl{display:block}dt{margin-top:9px;font-size:.86rem}.octets{display:block}.octets pre{margin-bottom:8px}
    .sentence{display:block;margin-top:2px}.body{padding:4px 9px 12px}.count{padding:4px 9px}
    .iuts table,.iuts tbody,.iuts tr{display:block}.iuts tr:first-child{display:none}
    .iuts td{display:inline;border:0;padding:0}.iuts td+td::before{content:" · ";color:var(--soft)}
    .iuts tr{border-bottom:1px solid var(--line);padding:7px 0}}
    @media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--card:#f7f7f7;--link:#000;--good:#0b5d25;
    --goodbg:#e6f4e9;--bad:#a40e16;--badbg:#fdeceb;--maybe:#644500;--maybebg:#fdf3d3;--err:#53238f;--errbg:#f2ebfb;
    --waive:#08485d;--waivebg:#e2f2f8;--odd:#7d3207;--oddbg:#fdeee1;--na:#555;--nabg:#eee}
    html{font-size:10.5px}body{font-size:10.5px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
    header,main,footer{max-width:none;
    padding-left:0;padding-right:0}.filter,.copy,.case:not(.bad):not([open]){display:none}
    .case{content-visibility:visible}
    details.bad::details-content{content-visibility:visible;display:block;height:auto}
    .wide,pre,.octets pre,.log{overflow:visible;max-height:none}pre{white-space:pre-wrap;overflow-wrap:anywhere}
    .octets{display:block}.chart{max-width:100%;height:auto}summary,h2,h3,.group{break-after:avoid}.row,.finding,
    .octets pre{break-inside:avoid}a{text-decoration:none}}

    """
}
