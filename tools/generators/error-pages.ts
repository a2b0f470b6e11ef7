import { type ErrorCode, errorCodes } from '@portolan/contract/errors';
import { errorTexts } from './error-texts.ts';
import type { GeneratedFile } from './generated-file.ts';

const folder = 'docs/reference/errors';
const codes = Object.keys(errorCodes).sort() as ErrorCode[];

/** One page for each error code of the contract, and their list. */
export function errorPages(): readonly GeneratedFile[] {
  return [
    { path: `${folder}/README.md`, text: index() },
    ...codes.map((code) => ({ path: `${folder}/${code}.md`, text: page(code) })),
  ];
}

function page(code: ErrorCode): string {
  const { status, retry, title } = errorCodes[code];
  const { meaning, remedy } = errorTexts[code];
  return `# \`${code}\`: ${title}

| status | retry the same request |
| --- | --- |
| ${status} | ${retry ? 'yes, later' : 'no'} |

**What it means.** ${meaning}

**What to do.** ${remedy}

All codes: [README.md](README.md). This page is generated from \`packages/contract/src/errors.ts\` and
\`tools/generators/error-texts.ts\`.
`;
}

function index(): string {
  const rows = codes.map((code) => {
    const { status, retry, title } = errorCodes[code];
    return `| [\`${code}\`](${code}.md) | ${status} | ${retry ? 'yes' : 'no'} | ${title} |`;
  });
  return `# Error codes

Every error answer, the \`error\` event of a stream and the result of a failed tool carry the same body:

\`\`\`json
{ "ok": false, "error": "not_found", "message": "Entity with identifier \\"cart\\" was not found", "details": {} }
\`\`\`

\`error\` is for programs and never changes its meaning; \`message\` is for people and may change; \`details\` is a list of
\`{ path, message }\` for invalid input, else an object, else absent. "Retry" says whether the same request may succeed
later; where the answer has a \`Retry-After\` header, wait that many seconds.

| code | status | retry | title |
| --- | --- | --- | --- |
${rows.join('\n')}

Generated from \`packages/contract/src/errors.ts\`.
`;
}
