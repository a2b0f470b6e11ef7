/** Keeps ticks per item in the browser, and filters. Plain script: the page must work from a file. */
export const reportScript = `
(function () {
  'use strict';
  var key = 'portolan-users-and-teams:' + document.documentElement.dataset.report;
  var items = Array.prototype.slice.call(document.querySelectorAll('.item'));
  var find = document.getElementById('find');
  var openOnly = document.getElementById('open-only');
  var shows = Array.prototype.slice.call(document.querySelectorAll('.show'));
  var done = {};
  try { done = JSON.parse(localStorage.getItem(key) || '{}') || {}; } catch (error) { done = {}; }
  function keep() {
    try { localStorage.setItem(key, JSON.stringify(done)); } catch (error) { /* a browser that keeps nothing */ }
  }
  function update() {
    var text = find.value.trim().toLowerCase();
    var verdicts = shows.filter(function (box) { return box.checked; }).map(function (box) { return box.value; });
    var seen = 0;
    items.forEach(function (item) {
      var isDone = Boolean(done[item.dataset.id]);
      item.classList.toggle('done', isDone);
      item.querySelector('.tick').checked = isDone;
      var fits = verdicts.indexOf(item.dataset.verdict) >= 0 && !(openOnly.checked && isDone) &&
        (text === '' || item.textContent.toLowerCase().indexOf(text) >= 0);
      item.hidden = !fits;
      if (fits) seen += 1;
    });
    Array.prototype.forEach.call(document.querySelectorAll('#manual .area'), function (area) {
      area.hidden = area.querySelectorAll('.item:not([hidden])').length === 0;
    });
    var ticked = items.filter(function (item) { return done[item.dataset.id]; }).length;
    document.getElementById('progress').textContent = ticked + ' of ' + items.length + ' ticked, ' + seen + ' shown';
  }
  items.forEach(function (item) {
    item.querySelector('.tick').addEventListener('change', function (event) {
      if (event.target.checked) done[item.dataset.id] = 1;
      else delete done[item.dataset.id];
      keep();
      update();
    });
  });
  [find, openOnly].concat(shows).forEach(function (input) { input.addEventListener('input', update); });
  window.addEventListener('beforeprint', function () {
    Array.prototype.forEach.call(document.querySelectorAll('details'), function (part) { part.open = true; });
  });
  update();
})();
`;
