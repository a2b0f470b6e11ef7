import type { ForeachExpression, ReduceExpression } from '../syntax/ast.ts';
import type { PathNode } from '../value/path.ts';
import type { JqValue } from '../value/value.ts';
import type { NodeForms } from './compiler.ts';
import { notSingle } from './forms-access.ts';
import { compileOwnedUpdate } from './owned-update.ts';
import { compilePatterns } from './patterns.ts';

/** The state becomes the last value of the update; an update without values gives null (jq 1.7). */
export const reduce: NodeForms<ReduceExpression> = {
  isSingle: (compiler, node, scope) => compiler.isSingle(node.initial, scope),
  single: (compiler, node, scope) => {
    const patterns = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.each(node.source, scope);
    const initial = compiler.single(node.initial, scope);
    const owned = compileOwnedUpdate(compiler, node.update, patterns.bodyScope);
    if (owned !== undefined) {
      return (run, cells, input) => {
        const update = owned(run);
        let state = initial(run, cells, input);
        source(run, cells, input, (item) => {
          run.step();
          patterns.bind(run, cells, item, (inner) => {
            state = update(inner, state);
          });
        });
        return state;
      };
    }
    if (compiler.isSingle(node.update, patterns.bodyScope)) {
      const update = compiler.single(node.update, patterns.bodyScope);
      return (run, cells, input) => {
        let state = initial(run, cells, input);
        source(run, cells, input, (item) => {
          run.step();
          patterns.bind(run, cells, item, (inner) => {
            state = update(run, inner, state);
          });
        });
        return state;
      };
    }
    const update = compiler.each(node.update, patterns.bodyScope);
    return (run, cells, input) => {
      let state = initial(run, cells, input);
      source(run, cells, input, (item) => {
        run.step();
        patterns.bind(run, cells, item, (inner) => {
          let next: JqValue = null;
          update(run, inner, state, (value) => {
            next = value;
          });
          state = next;
        });
      });
      return state;
    };
  },
  each: (compiler, node, scope) => {
    const initial = compiler.each(node.initial, scope);
    const patterns = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.each(node.source, scope);
    const update = compiler.each(node.update, patterns.bodyScope);
    return (run, cells, input, emit) =>
      initial(run, cells, input, (start) => {
        let state = start;
        source(run, cells, input, (item) => {
          run.step();
          patterns.bind(run, cells, item, (inner) => {
            let next: JqValue = null;
            update(run, inner, state, (value) => {
              next = value;
            });
            state = next;
          });
        });
        emit(state);
      });
  },
  path: (compiler, node, scope) => {
    const patterns = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.each(node.source, scope);
    const initial = compiler.path(node.initial, scope);
    const update = compiler.path(node.update, patterns.bodyScope);
    return (run, cells, path, input, emit) => {
      initial(run, cells, path, input, (startPath, startValue) => {
        let place: PathNode | null = startPath;
        let state = startValue;
        source(run, cells, input, (item) => {
          run.step();
          patterns.bind(run, cells, item, (inner) => {
            let nextPlace: PathNode | null = null;
            let next: JqValue = null;
            update(run, inner, place, state, (at, value) => {
              nextPlace = at;
              next = value;
            });
            place = nextPlace;
            state = next;
          });
        });
        emit(place, state);
      });
    };
  },
};

/** Every value of the update becomes the state in turn and is emitted, through `extract` if present. */
export const foreach: NodeForms<ForeachExpression> = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    const patterns = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.each(node.source, scope);
    const initial = compiler.each(node.initial, scope);
    const update = compiler.each(node.update, patterns.bodyScope);
    const extract = node.extract === null ? undefined : compiler.each(node.extract, patterns.bodyScope);
    return (run, cells, input, emit) =>
      initial(run, cells, input, (start) => {
        let state = start;
        source(run, cells, input, (item) => {
          run.step();
          patterns.bind(run, cells, item, (inner) => {
            update(run, inner, state, (value) => {
              state = value;
              if (extract === undefined) emit(value);
              else extract(run, inner, value, emit);
            });
          });
        });
      });
  },
  path: (compiler, node, scope) => {
    const patterns = compilePatterns(compiler, node.patterns, scope);
    const source = compiler.each(node.source, scope);
    const initial = compiler.path(node.initial, scope);
    const update = compiler.path(node.update, patterns.bodyScope);
    const extract = node.extract === null ? undefined : compiler.path(node.extract, patterns.bodyScope);
    return (run, cells, path, input, emit) => {
      initial(run, cells, path, input, (startPath, startValue) => {
        let place = startPath;
        let state = startValue;
        source(run, cells, input, (item) => {
          run.step();
          patterns.bind(run, cells, item, (inner) => {
            update(run, inner, place, state, (at, value) => {
              place = at;
              state = value;
              if (extract === undefined) emit(at, value);
              else extract(run, inner, at, value, emit);
            });
          });
        });
      });
    };
  },
};
