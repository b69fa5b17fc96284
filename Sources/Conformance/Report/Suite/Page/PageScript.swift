/// The script of the report: filtering, opening what a link points to, and opening failures for print.
///
/// Without it everything can still be read: it adds, and fetches nothing.
enum PageScript {
  static let text = """
    (function () {
      "use strict";
      var one = function (id) { return document.getElementById(id); };
      var all = function (query) { return Array.prototype.slice.call(document.querySelectorAll(query)); };
      var words = one("words");
      var buttons = all(".count");
      var rows = all("tr.row");
      var groups = all(".cases tbody");
      var cases = all("details.case");
      function pressed() {
        return buttons.filter(function (b) { return b.getAttribute("aria-pressed") === "true"; })
          .map(function (b) { return b.dataset.kind; });
      }
      function filter() {
        var terms = words.value.toLowerCase().split(" ").filter(Boolean);
        var kinds = pressed();
        function isShown(text, mine) {
          return terms.every(function (t) { return text.indexOf(t) >= 0; })
            && (!kinds.length || mine.split(" ").some(function (k) { return kinds.indexOf(k) >= 0; }));
        }
        var count = 0;
        rows.forEach(function (row) {
          var hides = !isShown(row.dataset.text, row.dataset.kinds);
          if (row.hidden !== hides) { row.hidden = hides; }
          if (!hides) { count += 1; }
        });
        groups.forEach(function (group) {
          var hides = !group.querySelector("tr.row:not([hidden])");
          if (group.hidden !== hides) { group.hidden = hides; }
        });
        var shown = 0;
        cases.forEach(function (item) {
          var hides = !isShown(item.dataset.text, item.dataset.kind);
          if (item.hidden !== hides) { item.hidden = hides; }
          if (!hides) { shown += 1; }
        });
        one("shown").textContent = count + " of " + rows.length + " purposes, " + shown + " cases";
      }
      function openTarget() {
        var item = location.hash.length > 1 && one(location.hash.slice(1));
        if (!item || item.tagName !== "DETAILS") { return; }
        item.hidden = false;
        item.open = true;
        item.scrollIntoView();
      }
      words.addEventListener("input", filter);
      buttons.forEach(function (button) {
        button.addEventListener("click", function () {
          button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") === "true" ? "false" : "true");
          filter();
        });
      });
      one("open").addEventListener("click", function () {
        cases.forEach(function (item) { if (!item.hidden) { item.open = true; } });
      });
      one("close").addEventListener("click", function () {
        cases.forEach(function (item) { item.open = false; });
      });
      all(".copy").forEach(function (button) {
        button.addEventListener("click", function () {
          var code = button.parentNode.querySelector("code");
          function selected() { window.getSelection().selectAllChildren(code); }
          if (!navigator.clipboard) { selected(); return; }
          navigator.clipboard.writeText(code.textContent).then(function () {
            button.textContent = "copied";
            setTimeout(function () { button.textContent = "copy"; }, 1200);
          }, selected);
        });
      });
      var opened = [];
      window.addEventListener("beforeprint", function () {
        opened = cases.filter(function (item) { return item.classList.contains("bad") && !item.open; });
        opened.forEach(function (item) { item.open = true; });
      });
      window.addEventListener("afterprint", function () {
        opened.forEach(function (item) { item.open = false; });
      });
      window.addEventListener("hashchange", openTarget);
      filter();
      openTarget();
    })();
    """
}
