/** Shows the filter of the reference, and hides operations without all the typed words. */
export const filterScript = `'use strict';
const box = document.querySelector('.filter');
const input = document.getElementById('filter');
const status = box.querySelector('[role=status]');
const articles = [...document.querySelectorAll('main article')];
const text = new Map(
  articles.map((article) => [
    article,
    [article.id, article.querySelector('h3').textContent, article.querySelector('.address').textContent].join(' ').toLowerCase(),
  ]),
);

function apply() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const article of articles) {
    const isShown = words.every((word) => text.get(article).includes(word));
    article.hidden = !isShown;
    document.querySelector('nav a[href="#' + article.id + '"]').parentElement.hidden = !isShown;
    if (isShown) shown += 1;
  }
  for (const section of document.querySelectorAll('main section[id^=tag-]')) {
    section.hidden = !section.querySelector('article:not([hidden])');
    document.querySelector('nav a[href="#' + section.id + '"]').parentElement.hidden = section.hidden;
  }
  status.textContent = words.length === 0 ? '' : shown + (shown === 1 ? ' operation' : ' operations');
}

/** A link to an operation that the filter hides shows everything again. */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest('[hidden]')) return;
  input.value = '';
  apply();
  target.scrollIntoView();
}

box.hidden = false;
input.addEventListener('input', apply);
addEventListener('hashchange', reveal);
apply();
`;
