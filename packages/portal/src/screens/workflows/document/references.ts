import type { WorkflowNode } from './definition.ts';

const word = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The path of jq to a node's output: `.outputs.build`, or `.outputs["check-env"]` where the name is no word. */
export function outputPath(identifier: string): string {
  return word.test(identifier) ? `.outputs.${identifier}` : `.outputs[${JSON.stringify(identifier)}]`;
}

/** The nodes whose outputs a text reads by name. `trigger` stands for whichever trigger fired. */
export function outputsRead(text: string): readonly string[] {
  const found = [...text.matchAll(/\.outputs\??(?:\.([A-Za-z_]\w*)|\.?\["((?:[^"\\]|\\.)*)"\])/g)];
  return found.map(([, plain, quoted]) => plain ?? unquoted(quoted ?? ''));
}

/** Renames a node in every text of another that reads its output. */
export function renameInTemplates(node: WorkflowNode, from: string, to: string): WorkflowNode {
  // the alias of the trigger that fired keeps its name
  if (from === 'trigger') return node;
  const { identifier, ...rest } = node;
  const changed = { identifier, ...(renamed(rest, from, to) as Omit<WorkflowNode, 'identifier'>) };
  if (!holdsBodies(node)) return changed;
  // names inside a body are its own
  const { body, branches } = node.config;
  const bodies = { ...(body === undefined ? {} : { body }), ...(branches === undefined ? {} : { branches }) };
  return { ...changed, config: { ...changed.config, ...bodies } };
}

function holdsBodies({ config: { type } }: WorkflowNode): boolean {
  return type === 'MAP' || type === 'REPEAT' || type === 'PARALLEL';
}

function renamed(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.includes('.outputs') ? renameInText(value, from, to) : value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each, from, to)]));
}

function renameInText(text: string, from: string, to: string): string {
  return text.replace(
    /\.outputs(\??)(?:\.([A-Za-z_]\w*)|\.?\["((?:[^"\\]|\\.)*)"\])/g,
    (path, mark: string, plain?: string, quoted?: string) =>
      (plain ?? unquoted(quoted ?? '')) === from ? outputPath(to).replace('.outputs', `.outputs${mark}`) : path,
  );
}

function unquoted(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch {
    return quoted;
  }
}
