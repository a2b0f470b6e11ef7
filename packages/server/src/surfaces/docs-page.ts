import { errorCodes } from '@portolan/contract/errors';
import { type ApiDocument, listOperations } from './docs-document.ts';
import { Html, type HtmlPart, html, prose } from './docs-html.ts';
import { operationSection, plain } from './docs-operation.ts';

/** Start of every page of the server. Stylesheet and script are its own; nothing loads from other hosts. */
export function pageHead(title: string, description: string): Html {
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">`;
}

/** Kept out of the template: compilers lower templates with a closing script tag to a helper that we do not ship. */
const filterScript = new Html('<script src="/docs/filter.js" defer></script>');

/** The whole API reference as one page that works without scripts; its first command uses `address`. */
export function referencePage(document: ApiDocument, address: string): string {
  const { title, version } = document.info;
  return `<!doctype html>${html`
<html lang="en">
<head>
${pageHead(`${title} reference`, `Every operation of the ${title}, version ${version}`)}
${filterScript}
</head>
<body class="reference">
<a class="skip" href="#content">Skip to the content</a>
<header><a class="home" href="/">Portolan</a> <a href="/openapi.json">OpenAPI document</a></header>
<nav aria-label="Operations">
<div class="filter" hidden><label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"><p role="status"></p></div>
<ul>
<li><a href="#start">Start here</a></li>
${document.tags.map(({ name }) => tagLinks(document, name))}
<li><a href="#errors">Error codes</a></li>
</ul>
</nav>
<main id="content" tabindex="-1">
<h1>${title} <small>version ${version}</small></h1>
<p>The API of this installation. The same as a document for programs: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<p class="notice" role="note">The AI assistant is in open beta and not recommended for production-critical workflows
at first.</p>
${start(address)}
${document.tags.map(({ name }) => tagSection(document, name))}
${errorSection()}
</main>
</body>
</html>
`}`;
}

function tagId(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function tagLinks(document: ApiDocument, tag: string): Html {
  const links = listOperations(document, tag).map(
    ({ operationId, summary, method }) =>
      html`<li><a href="#${operationId}">${plain(summary).split(/;|, or /)[0]} <span class="method">${method}</span></a></li>`,
  );
  return html`<li><a href="#${tagId(tag)}">${tag}</a><ul>${links}</ul></li>`;
}

function tagSection(document: ApiDocument, tag: string): Html {
  const id = tagId(tag);
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${tag}</h2>
${listOperations(document, tag).map(operationSection)}</section>`;
}

/** The commands that set the variables of the examples; the landing page shows them too. */
export function tokenCommand(address: string): string {
  return `export PORTOLAN_URL=${address}
export TOKEN=$(curl -s "$PORTOLAN_URL/v1/auth/access_token" \\
  -H 'content-type: application/json' \\
  -d '{"clientId":"YOUR-CLIENT-ID","clientSecret":"YOUR-CLIENT-SECRET"}' |
  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`;
}

function start(address: string): Html {
  return html`<section id="start" aria-labelledby="start-title"><h2 id="start-title">Start here</h2>
<p>Exchange the client id and secret of an organization for a token, once. The first organization’s are printed when
the server starts for the first time.</p>
<pre tabindex="0" aria-label="Commands that get a token"><code>${tokenCommand(address)}</code></pre>
<p>Then every example on this page runs as it is. They use the demo organization: those that read take what is there,
those that write take the blueprint <code>library</code> that
<a href="#createBlueprint">Create a blueprint</a> makes. Three names are yours to set: <code>$INVOCATION_IDENTIFIER</code>
(the first event of <a href="#invokeAssistant">Ask the assistant</a> holds one), and for operators
<code>$OPERATOR_TOKEN</code> and <code>$ORGANIZATION_ID</code>.</p>
</section>`;
}

/** Lets a code break after each of its words. */
function breakable(code: string): HtmlPart {
  return code.split('_').map((word, index) => (index === 0 ? word : html`_<wbr>${word}`));
}

function errorSection(): Html {
  const rows: HtmlPart = Object.entries(errorCodes).map(
    ([code, { status, retry, title }]) =>
      html`<tr id="error-${code}"><th scope="row"><code>${breakable(code)}</code></th><td>${status}</td><td>${prose(title)}</td><td>${
        retry ? 'yes' : 'no'
      }</td></tr>`,
  );
  return html`<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Error codes</h2>
<p>Every error answer, the <code>error</code> event of a stream and a tool that failed carry the same body:
<code>{ "ok": false, "error": "not_found", "message": "…", "details": … }</code>. The code never changes its meaning; the
message is for people and may change. “Retry” says whether the same request may succeed later; the header
<code>Retry-After</code>, if there is one, says when.</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="errors-title"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Retry</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`;
}
