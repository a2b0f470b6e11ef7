import { createHash } from 'node:crypto';
import type { AutomaticChange, ItemElement, ManualArea, ManualItem, PlanProblem } from '@portolan/team-references';
import { areaTitles, type Report, verdictTitles } from './report-data.ts';
import { reportScript } from './report-script.ts';
import { reportStyle } from './report-style.ts';

/** A self-contained page: it makes no requests, and renders user content only as text. */
export function reportHtml(report: Report): string {
  const { organization, statistics } = report;
  const scriptHash = createHash('sha256').update(reportScript).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en" data-report="${escaped(organization.id)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="color-scheme" content="light dark">
<title>Users and teams: ${escaped(organization.name)}</title>
<style>${reportStyle}</style>
</head>
<body>
<a class="skip" href="#manual">Skip to what needs a person</a>
<header>
<p class="eyebrow">Users and teams as blueprints</p>
<h1>${escaped(organization.name)}</h1>
<p class="meta">Model <b>${escaped(organization.model)}</b> · read <time datetime="${escaped(report.generatedAt)}">${escaped(report.generatedAt.slice(0, 16).replace('T', ' '))} UTC</time></p>
<p class="note">${escaped(report.note)}</p>
<dl class="figures">
${figure('Breaks', statistics.byVerdict.breaks, 'breaks')}
${figure('Review', statistics.byVerdict.review, 'review')}
${figure('Mentions', statistics.byVerdict.mentions, 'mentions')}
${figure('With a suggestion', statistics.withSuggestion)}
${figure('Automatic changes', statistics.automatic)}
</dl>
</header>
<div class="tools" role="search" aria-label="Filter the items">
<label class="find">Search <input type="search" id="find" autocomplete="off"></label>
<fieldset><legend>Show</legend>
${Object.entries(verdictTitles)
  .map(([verdict, title]) => `<label><input type="checkbox" class="show" value="${verdict}" checked> ${title}</label>`)
  .join('\n')}
<label><input type="checkbox" id="open-only"> Only what is not ticked</label>
</fieldset>
<p id="progress" role="status" aria-live="polite"></p>
</div>
<main>
${problemsHtml(report.problems)}
<section id="manual" aria-labelledby="manual-title">
<h2 id="manual-title">Manual changes <span class="count">${statistics.manual}</span></h2>
<p>The migration leaves these to people. <b>Breaks</b>: gives another result after the migration. <b>Review</b>: may, and only a person can tell. <b>Mentions</b>: refers to teams and goes on working.</p>
${report.manual.length === 0 ? '<p class="empty">Nothing refers to teams.</p>' : areasHtml(report.manual)}
</section>
<section id="automatic" aria-labelledby="automatic-title">
<h2 id="automatic-title">Automatic changes <span class="count">${statistics.automatic}</span></h2>
<p>The migration makes these by itself, all at once. Definitions kept elsewhere, in Terraform or Git, need the same changes there.</p>
${automaticHtml(report.automatic)}
</section>
</main>
<footer><p>Ticks are kept in this browser, by item, and come back when the report is made again.</p></footer>
<script>${reportScript}</script>
</body>
</html>
`;
}

function figure(title: string, value: number, kind = ''): string {
  return `<div class="figure ${kind}"><dt>${title}</dt><dd>${value}</dd></div>`;
}

function areasHtml(items: readonly ManualItem[]): string {
  const areas = [...new Set(items.map(({ area }) => area))];
  return areas
    .map((area) => {
      const own = items.filter((item) => item.area === area);
      return `<details class="area" open><summary><h3>${areaTitles[area as ManualArea]}</h3> <span class="count">${own.length}</span></summary>
<ul class="items">
${own.map(itemHtml).join('\n')}
</ul></details>`;
    })
    .join('\n');
}

function itemHtml(item: ManualItem): string {
  const { resource, element, verdict, suggestion, sample } = item;
  const label = `${resource.identifier}${element ? ` ${element.identifier}` : ''}`;
  return `<li class="item ${verdict}" data-id="${escaped(item.id)}" data-verdict="${verdict}">
<div class="head"><input type="checkbox" class="tick" aria-label="Done: ${escaped(label)}">
<span class="badge">${verdictTitles[verdict]}</span>
<b class="what">${kindTitle(item)} <code>${escaped(resource.identifier)}</code>${formatTitle(resource.title, resource.identifier)}</b>
${element ? `<span class="part">${elementHtml(element)}</span>` : ''}
<code class="pointer">${escaped(item.pointer)}</code></div>
<p class="why">${escaped(item.why)}</p>
${
  suggestion === undefined
    ? `<div class="diff single"><pre aria-label="As it is">${formatValue(item.before)}</pre></div>`
    : `<div class="diff"><pre class="before" aria-label="Before">${formatValue(item.before)}</pre><pre class="after" aria-label="Suggested">${shownEdits(item)}</pre></div><p class="how">${escaped(suggestion.explanation)}</p>`
}
${sample ? `<p class="sample">On ${escaped(sample.of)}: <code>${formatValue(sample.before)}</code> before, <code>${formatValue(sample.after)}</code> after.</p>` : ''}
</li>`;
}

/** The individual edits, if they differ from the place of the item. */
function shownEdits({ pointer, suggestion }: ManualItem): string {
  const { edits, value } = suggestion!;
  const others = edits.filter((edit) => edit.pointer !== pointer);
  if (others.length === 0) return formatValue(value);
  return edits
    .map((edit) => `${escaped(edit.pointer)}\n${edit.value === undefined ? '(removed)' : formatValue(edit.value)}`)
    .join('\n\n');
}

const kindTitles: Readonly<Record<string, string>> = {
  blueprint: 'Blueprint',
  'blueprint-permissions': 'Permissions of blueprint',
  action: 'Action',
  'action-permissions': 'Permissions of action',
  automation: 'Automation',
  integration: 'Integration',
  webhook: 'Webhook',
  page: 'Page',
  'page-permissions': 'Permissions of page',
  scorecard: 'Scorecard',
  agent: 'Agent',
  destination: 'Destination of changes',
  file: 'File',
};

function kindTitle({ resource }: Pick<ManualItem, 'resource'>): string {
  const of = resource.blueprint === undefined ? '' : ` of ${escaped(resource.blueprint)}`;
  return `${kindTitles[resource.kind] ?? resource.kind}${of}`;
}

function elementHtml({ kind, identifier, title }: ItemElement): string {
  return `${kind} <code>${escaped(identifier)}</code>${title === undefined ? '' : formatTitle(title, identifier)}`;
}

function formatTitle(title: string, identifier: string): string {
  return title === identifier ? '' : ` ${escaped(title)}`;
}

const ruleTitles: Readonly<Record<string, string>> = {
  1: 'Entities carry teams: ownership becomes Direct',
  2: 'Team inheritance becomes inherited ownership',
  3: 'A relation to teams that was inherited over is removed, and ownership becomes Direct',
  4: 'Titles in permissions become identifiers',
  implied: 'Implied: kept in order so that nothing is left broken',
};

function automaticHtml(changes: readonly AutomaticChange[]): string {
  if (changes.length === 0) return '<p class="empty">Nothing is left for the migration to change.</p>';
  return Object.entries(ruleTitles)
    .map(([rule, title]) => {
      const own = changes.filter((change) => String(change.rule) === rule);
      if (own.length === 0) return '';
      return `<details class="area"><summary><h3>${title}</h3> <span class="count">${own.length}</span></summary>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">What</th><th scope="col">Where</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>
${own.map((change) => `<tr><td>${kindTitle(change)} <code>${escaped(change.resource.identifier)}</code></td><td><code>${escaped(change.pointer)}</code>${change.note === undefined ? '' : `<br><span class="how">${escaped(change.note)}</span>`}</td><td><code>${formatValue(change.before)}</code></td><td><code>${formatValue(change.after)}</code></td></tr>`).join('\n')}
</tbody></table></div></details>`;
    })
    .join('\n');
}

function problemsHtml(problems: readonly PlanProblem[]): string {
  if (problems.length === 0) return '';
  return `<section aria-labelledby="problems-title"><h2 id="problems-title">Before the migration <span class="count">${problems.length}</span></h2><ul class="problems">
${problems.map(({ severity, message, resource }) => `<li class="${severity}"><span class="badge">${severity === 'blocker' ? 'Blocks' : 'Warning'}</span> ${resource ? `<code>${escaped(resource.identifier)}</code>: ` : ''}${escaped(message)}</li>`).join('\n')}
</ul></section>`;
}

/** A value for reading: texts as they are, other values as JSON; a missing value is stated. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '<i>nothing</i>';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  return escaped(text.length > 4000 ? `${text.slice(0, 4000)} …` : text);
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
