import { errorCodes } from '@portolan/contract/errors';
import { type Definitions, findDefinition, type PlacedOperation } from './docs-document.ts';
import { curlExample } from './docs-examples.ts';
import { type Html, type HtmlPart, html, prose } from './docs-html.ts';
import { fieldLine, schemaTree } from './docs-schema.ts';

/** One operation of the reference: description, parameters, answers, and a command that calls it. */
export function operationSection(operation: PlacedOperation): Html {
  const { operationId, method, path, summary, description } = operation;
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${prose(summary)} <a class="anchor" href="#${operationId}" aria-label="Link to ${plain(summary)}">#</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>
${description && html`<p>${prose(description)}</p>`}
<p class="access">${access(operation)}</p>
${parameters('Path parameters', 'path', operation)}
${parameters('Query parameters', 'query', operation)}
${body(operation)}
<h4>Answers</h4>
<ul class="answers">${Object.entries(operation.responses).map(([status, answer]) => answerLine(status, answer, operation.definitions))}</ul>
<h4>Example</h4>
<pre tabindex="0" aria-label="Example of ${plain(summary)}"><code>${curlExample(operation)}</code></pre>
</article>
`;
}

/** A summary for places that allow no markup. */
export function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** Lets a long path break before each segment. */
function breakable(path: string): HtmlPart {
  return path.split('/').map((part, index) => (index === 0 ? part : html`<wbr>/${part}`));
}

function access({ security }: PlacedOperation): HtmlPart {
  const [scheme] = security.flatMap((each) => Object.keys(each));
  if (!scheme) return 'Needs no token.';
  return scheme === 'operator' ? 'Needs the operator token of the installation.' : 'Needs an access token.';
}

function parameters(heading: string, place: string, { parameters: all = [], definitions }: PlacedOperation): HtmlPart {
  const rows = all.filter((parameter) => parameter.in === place);
  if (rows.length === 0) return undefined;
  return html`<h4>${heading}</h4>
<ul class="fields">${rows.map(({ name, schema, required }) => fieldLine(name, schema, required, definitions))}</ul>`;
}

function body({ requestBody, definitions }: PlacedOperation): HtmlPart {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return undefined;
  const { description } = (schema.$ref && findDefinition(schema.$ref, definitions)) || schema;
  return html`<h4>Body</h4>${description && html`<p>${prose(description)}</p>`}${schemaTree(schema, definitions)}`;
}

function answerLine(status: string, answer: PlacedOperation['responses'][string], definitions: Definitions): Html {
  const [type, content] = Object.entries(answer.content)[0] ?? [];
  if (!/^[23]/.test(status)) {
    return html`<li><code class="status">${status}</code> ${prose(answer.description, errorLink)}</li>`;
  }
  const tree = content && schemaTree(content.schema, definitions);
  return html`<li><code class="status">${status}</code> ${prose(answer.description)}, <code>${type}</code>${
    tree && html`<details><summary>Members of the answer <code>${status}</code></summary>${tree}</details>`
  }</li>`;
}

function errorLink(code: string): Html {
  return code in errorCodes ? html`<a href="#error-${code}"><code>${code}</code></a>` : html`<code>${code}</code>`;
}
