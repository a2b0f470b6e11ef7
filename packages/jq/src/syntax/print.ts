import { quote } from '../value/stringify.ts';
import type { Expression, FunctionDefinition, ObjectEntry, Pattern, PatternEntry } from './ast.ts';
import { constantKey } from './constant-key.ts';

/** Prints a syntax tree as program text, which parses to the same tree again, positions aside. */
export function print(node: Expression): string {
  switch (node.kind) {
    case 'identity':
      return '.';
    case 'recurse':
      return '..';
    case 'literal':
      return node.value === Number.POSITIVE_INFINITY ? '1e999' : String(node.value);
    case 'string':
      return `${node.format === null ? '' : `@${node.format} `}"${node.parts.map(printPart).join('')}"`;
    case 'format':
      return `@${node.name}`;
    case 'variable':
      return `$${node.name}`;
    case 'location':
      return '$__loc__';
    case 'index':
      return printIndex(node);
    case 'slice':
      return `${print(node.target)}[${node.from === null ? '' : print(node.from)}:${node.to === null ? '' : print(node.to)}]`;
    case 'iterate':
      return `${print(node.target)}[]`;
    case 'try':
      if (node.form === 'suffix') return `${print(node.body)}?`;
      return `try ${print(node.body)}${node.handler === null ? '' : ` catch ${print(node.handler)}`}`;
    case 'group':
      return `(${print(node.body)})`;
    case 'array':
      return node.body === null ? '[]' : `[${print(node.body)}]`;
    case 'object':
      return `{${node.entries.map(printEntry).join(', ')}}`;
    case 'pipe':
      return node.items.map(print).join(' | ');
    case 'comma':
      return node.items.map(print).join(', ');
    case 'negate':
      return `-${print(node.operand)}`;
    case 'arithmetic':
    case 'comparison':
    case 'logical':
    case 'alternative':
    case 'assignment':
      return `${print(node.left)} ${node.operator} ${print(node.right)}`;
    case 'if': {
      const branches = node.branches
        .map(({ condition, body }) => `if ${print(condition)} then ${print(body)}`)
        .join(' el');
      return `${branches}${node.otherwise === null ? '' : ` else ${print(node.otherwise)}`} end`;
    }
    case 'reduce':
      return `reduce ${print(node.source)} as ${printPatterns(node.patterns)} (${print(node.initial)}; ${print(node.update)})`;
    case 'foreach': {
      const parts = [node.initial, node.update, ...(node.extract === null ? [] : [node.extract])];
      return `foreach ${print(node.source)} as ${printPatterns(node.patterns)} (${parts.map(print).join('; ')})`;
    }
    case 'bind':
      return `${print(node.source)} as ${printPatterns(node.patterns)} | ${print(node.body)}`;
    case 'define':
      return `${printDefinition(node.definition)} ${print(node.body)}`;
    case 'call':
      return node.args.length === 0 ? node.name : `${node.name}(${node.args.map(print).join('; ')})`;
    case 'label':
      return `label $${node.name} | ${print(node.body)}`;
    case 'break':
      return `break $${node.name}`;
  }
}

function printPart(part: string | Expression): string {
  return typeof part === 'string' ? quote(part).slice(1, -1) : `\\(${print(part)})`;
}

function printIndex(node: Extract<Expression, { kind: 'index' }>): string {
  const target = node.target.kind === 'identity' ? '' : print(node.target);
  if (node.form === 'bracket') return `${target === '' ? '.' : target}[${print(node.key)}]`;
  // `..` or a number would merge with the dot of a name.
  const separator = node.target.kind === 'recurse' || node.target.kind === 'literal' ? ' ' : '';
  const isPlain = node.form === 'field' && node.key.kind === 'string';
  return `${target}${separator}.${isPlain ? (node.key as { parts: readonly unknown[] }).parts.join('') : print(node.key)}`;
}

function printEntry({ key, value, form }: ObjectEntry): string {
  const name = form === 'name' && key.kind === 'string' ? key.parts.join('') : print(key);
  return value === null ? name : `${name}: ${print(value)}`;
}

function printPatterns(patterns: readonly Pattern[]): string {
  return patterns.map(printPattern).join(' ?// ');
}

function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'variable':
      return `$${pattern.name}`;
    case 'array':
      return `[${pattern.items.map(printPattern).join(', ')}]`;
    case 'object':
      return `{${pattern.entries.map(printPatternEntry).join(', ')}}`;
  }
}

function printPatternEntry({ variable, key, value }: PatternEntry): string {
  const plain = constantKey(key);
  const isName = typeof plain === 'string' && key.kind === 'string' && /^[A-Za-z_]\w*$/.test(plain);
  const name = variable !== null ? `$${variable}` : isName ? plain : print(key);
  return value === null ? name : `${name}: ${printPattern(value)}`;
}

function printDefinition({ name, parameters, body }: FunctionDefinition): string {
  const list = parameters.map((parameter) => `${parameter.isValue ? '$' : ''}${parameter.name}`).join('; ');
  return `def ${name}${list === '' ? '' : `(${list})`}: ${print(body)};`;
}
