import { ChevronRight } from 'lucide-react';
import { t } from '../../../kit/translate.ts';
import { type BodyWay, bodyAt, listBodies } from '../document/bodies.ts';
import { type Definition, findNode } from '../document/definition.ts';
import classes from './workflows.module.css';

/** Where the shown steps stand, from the workflow inwards; nothing where they are the workflow's own. */
export function Trail({
  draft,
  inside,
  onOpen,
}: {
  draft: Definition;
  inside: BodyWay;
  /** Shows what is inside, with a step of it selected. */
  onOpen: (way: BodyWay, step?: string) => void;
}) {
  if (inside.length === 0) return null;
  const places = listPlaces(draft, inside);
  return (
    <nav className={classes.trail} aria-label={t('Steps inside a step')}>
      <button type="button" className={classes.path} onClick={() => onOpen([], inside[0])}>
        <span dir="auto">{draft.title || draft.identifier || t('Workflow')}</span>
      </button>
      {places.map(({ way, title, next }) => (
        <span key={way.join(' ')}>
          <ChevronRight size={14} aria-hidden="true" />{' '}
          {next === undefined ? (
            <strong dir="auto" aria-current="location">
              {title}
            </strong>
          ) : (
            <button type="button" className={classes.path} onClick={() => onOpen(way, next)}>
              <span dir="auto">{title}</span>
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

interface Place {
  readonly way: BodyWay;
  readonly title: string;
  /** The step in it that holds the next; undefined at the end. */
  readonly next: string | undefined;
}

function listPlaces(draft: Definition, inside: BodyWay): readonly Place[] {
  const places: Place[] = [];
  for (let at = 0; at < inside.length; ) {
    const outside = inside.slice(0, at);
    const node = findNode(bodyAt(draft, outside) ?? draft, inside[at] ?? '');
    const body =
      node && listBodies(node, outside).find(({ way }) => way.every((part, index) => part === inside[index]));
    if (!node || !body) return places;
    at = body.way.length;
    const title = [node.title || node.identifier, ...(body.branch === undefined ? [] : [body.branch])].join(': ');
    places.push({ way: body.way, title, next: inside[at] });
  }
  return places;
}
