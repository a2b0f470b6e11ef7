type Version = readonly [number, number, number];

const part = /^\s*(>=|<=|~>|!=|>|<|=)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?\s*$/;

interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** How many version segments are written. */
  readonly length: number;
}

/**
 * Raises a constraint minimally, so that it excludes versions older than `least` and stays satisfiable; keeps operators
 * and upper bounds.
 * Undefined if no change is needed, null if it cannot be parsed.
 */
export function raiseConstraint(text: string, least: Version): string | undefined | null {
  const parts = text.split(',').map(read);
  if (parts.some((each) => each === undefined)) return null;
  const known = parts as Constraint[];
  if (known.some((each) => isLowerBound(each) && compare(each.version, least) >= 0)) return undefined;
  const raised = known.map((each, at) => raise(each, least) ?? text.split(',')[at]!.trim());
  return (known.some(isLowerBound) ? raised : [`>= ${least.join('.')}`, ...raised]).join(', ');
}

function read(text: string): Constraint | undefined {
  const match = part.exec(text);
  if (match === null) return undefined;
  const numbers = match
    .slice(2)
    .filter((each) => each !== undefined)
    .map(Number);
  return {
    operator: match[1] ?? '',
    version: [numbers[0]!, numbers[1] ?? 0, numbers[2] ?? 0],
    length: numbers.length,
  };
}

const isLowerBound = ({ operator }: Constraint): boolean => ['', '=', '>=', '>', '~>'].includes(operator);

/** Undefined if the part needs no change. */
function raise({ operator, version, length }: Constraint, least: Version): string | undefined {
  switch (operator) {
    case '!=':
      return undefined;
    case '<':
    case '<=': {
      const isReached = compare(version, least) > 0 || (operator === '<=' && compare(version, least) === 0);
      return isReached ? undefined : `< ${least[0] + 1}${length > 1 ? '.0' : ''}`;
    }
    case '~>':
      // `~>` with two numbers leaves the second one open, with three the third
      return `~> ${length === 3 ? least.join('.') : `${least[0]}.${least[1]}`}`;
    case '>':
    case '>=':
      return `>= ${length === 2 && least[2] === 0 ? `${least[0]}.${least[1]}` : least.join('.')}`;
    default:
      return `${operator}${operator === '' ? '' : ' '}${least.join('.')}`;
  }
}

function compare(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
