import { cellCharactersMax } from '../table.ts';

/** The text of one element of the list; undefined where it is longer than an import takes. */
export type JsonElement = string | undefined;

export interface JsonListReader {
  push(text: string): JsonElement[];
  /** How the reading ended: the list was closed, is open still, or was never there. */
  readonly list: 'absent' | 'open' | 'closed';
  /** The keys that lead to the first list of objects that was seen. */
  readonly firstListPath: readonly string[] | undefined;
}

/**
 * Finds the list at a path of a JSON document and answers its elements one by one, unparsed, so that a document of any
 * size is read in the memory of one element.
 */
export function createJsonListReader(path: readonly string[]): JsonListReader {
  const containers: ('{' | '[')[] = [];
  const keys: string[] = [];
  let list: JsonListReader['list'] = 'absent';
  let listDepth = 0;
  let isInText = false;
  let isEscaped = false;
  let isKeyNext = false;
  let key: string | undefined;
  let element: string | undefined = '';
  let elements: JsonElement[] = [];
  let firstListPath: readonly string[] | undefined;
  let openedPath: readonly string[] | undefined;

  function currentPath(): readonly string[] | undefined {
    return containers.every((container) => container === '{') ? keys.slice(0, containers.length) : undefined;
  }

  function isWantedPath(): boolean {
    const here = currentPath();
    return here?.length === path.length && path.every((name, depth) => here[depth] === name);
  }

  function keep(text: string): void {
    if (element === undefined) return;
    element = element.length + text.length > cellCharactersMax ? undefined : element + text;
  }

  function endElement(): void {
    if (element === undefined || element.trim() !== '') elements.push(element);
    element = '';
  }

  function openContainer(character: '{' | '['): void {
    if (character === '{' && openedPath) firstListPath ??= openedPath;
    openedPath = character === '[' ? currentPath() : undefined;
    const isWanted = character === '[' && list === 'absent' && isWantedPath();
    containers.push(character);
    isKeyNext = character === '{';
    if (isWanted) {
      list = 'open';
      listDepth = containers.length;
    }
  }

  function closeContainer(): void {
    if (list === 'open' && containers.length === listDepth) {
      endElement();
      list = 'closed';
    }
    containers.pop();
    keys.length = Math.min(keys.length, containers.length);
    openedPath = undefined;
  }

  function readText(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (character === '\\') isEscaped = true;
    else if (character === '"') {
      isInText = false;
      if (key !== undefined) keys[containers.length - 1] = unescapeKey(key);
      key = undefined;
      return;
    }
    if (key !== undefined && key.length < 1000) key += character;
  }

  function readOutside(character: string): void {
    if (character === '"') {
      isInText = true;
      openedPath = undefined;
      // keys inside the list are the elements' own
      if (isKeyNext && list !== 'open') key = '';
    } else if (character === '{' || character === '[') openContainer(character);
    else if (character === '}' || character === ']') closeContainer();
    else if (character === ',') isKeyNext = containers.at(-1) === '{';
    else if (character === ':') isKeyNext = false;
  }

  function push(text: string): JsonElement[] {
    let keptTo = 0;
    for (let at = 0; at < text.length && list !== 'closed'; at++) {
      const character = text[at] as string;
      if (isInText) {
        readText(character);
        continue;
      }
      const isAtList = list === 'open' && containers.length === listDepth;
      if (isAtList && (character === ',' || character === ']')) {
        keep(text.slice(keptTo, at));
        if (character === ',') endElement();
        keptTo = at + 1;
      }
      const wasAbsent = list === 'absent';
      readOutside(character);
      if (wasAbsent && list === 'open') keptTo = at + 1;
    }
    if (list === 'open') keep(text.slice(keptTo));
    const taken = elements;
    elements = [];
    return taken;
  }

  return {
    push,
    get list() {
      return list;
    },
    get firstListPath() {
      return firstListPath;
    },
  };
}

function unescapeKey(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
