import { parser } from '@prometheus-io/lezer-promql';

/** What an expression asks Prometheus for. */
export interface AskedSeries {
  readonly names: readonly string[];
  /** Of matchers and groupings, each with the value if it must be equal to one. */
  readonly labels: readonly { readonly name: string; readonly equals?: string | undefined }[];
  /** What its aggregations keep; empty if there is none, or it keeps nothing. */
  readonly groups: readonly string[];
}

/** @throws Error for what is no PromQL */
export function readPromql(expression: string): AskedSeries {
  const names: string[] = [];
  const groups: string[] = [];
  const labels: { name: string; equals?: string | undefined }[] = [];
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }): string => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`No PromQL at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') {
        const name = node.node.getChild('Identifier');
        if (name === null) throw new Error(`A selector without a name: ${expression}`);
        names.push(textOf(name));
      }
      if (node.name === 'UnquotedLabelMatcher') {
        const [name, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((each) =>
          node.node.getChild(each),
        );
        if (!name || !operator || !value) throw new Error(`A matcher that is not understood: ${expression}`);
        const isEqual = textOf(operator) === '=' || textOf(operator) === '!=';
        labels.push({ name: textOf(name), equals: isEqual ? textOf(value).slice(1, -1) : undefined });
      }
      if (node.name === 'GroupingLabels') {
        const grouped = node.node.getChildren('LabelName').map(textOf);
        labels.push(...grouped.map((name) => ({ name })));
        groups.push(...grouped);
      }
    },
  });
  return { names, labels, groups };
}
