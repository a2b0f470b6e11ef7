import { neighbourPath } from './port-file.ts';

/** Where a host shows the files of a commit, without a slash at the end. */
export interface FileAddresses {
  /** A page about the file. */
  readonly page: string;
  /** The bytes of the file. */
  readonly raw: string;
}

export const readmePaths = ['README.md', 'readme.md', 'Readme.md', 'README.markdown', 'README.rst', 'README'];

/** A readme as markdown that can be shown elsewhere: what it links to in the repository becomes an address. */
export function presentReadme(path: string, text: string, addresses: FileAddresses): string {
  if (!/\.(md|markdown)$/i.test(path)) return `\`\`\`\`text\n${text}\n\`\`\`\``;
  const toAddress = (target: string, isImage: boolean): string => addressOf(path, target, isImage, addresses);
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
      if (mark && (fence === undefined || (mark.startsWith(fence) && line.trim() === mark))) {
        fence = fence === undefined ? mark : undefined;
        return line;
      }
      return fence === undefined ? rewriteHtml(rewriteLinks(line, toAddress), toAddress) : line;
    })
    .join('\n');
}

type ToAddress = (target: string, isImage: boolean) => string;

/** `[text](target)`, `![image](target)`, one within the other, and `[name]: target`; in one pass. */
function rewriteLinks(line: string, toAddress: ToAddress): string {
  const definition = /^( {0,3}\[[^\]]{1,200}\]:\s*<?)([^\s<>]+)(.*)$/.exec(line);
  if (definition) {
    const [, before, target = '', after] = definition;
    return `${before}${toAddress(target, /\.(png|jpe?g|gif|svg|webp)$/i.test(target))}${after}`;
  }
  const opened: boolean[] = [];
  const target = /\(\s*<?([^\s()<>]+)/y;
  let result = '';
  let done = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === '\\') index += 1;
    else if (character === '`') {
      const end = line.indexOf('`', index + 1);
      if (end > 0) index = end;
    } else if (character === '[') opened.push(line[index - 1] === '!');
    else if (character === ']') {
      const isImage = opened.pop();
      target.lastIndex = index + 1;
      const found = isImage === undefined ? null : target.exec(line);
      if (!found) continue;
      const end = target.lastIndex;
      const written = found[1] ?? '';
      result += line.slice(done, end - written.length) + toAddress(written, isImage === true);
      done = end;
      index = end - 1;
    }
  }
  return result + line.slice(done);
}

function rewriteHtml(line: string, toAddress: ToAddress): string {
  return line.replace(/<(?:img|a|source|video)\s[^<>]*>/gi, (tag) =>
    tag.replace(
      /(\s(src|href)\s*=\s*["'])([^"'\s]+)/gi,
      (_whole, before: string, name: string, target: string) =>
        before + toAddress(target, name.toLowerCase() === 'src'),
    ),
  );
}

function addressOf(from: string, target: string, isImage: boolean, { page, raw }: FileAddresses): string {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target)) return target;
  const [, written = '', rest = ''] = /^([^?#]*)(.*)$/.exec(target) ?? [];
  const reference = written.startsWith('/') ? written.slice(1) : `./${written}`;
  const path = neighbourPath(from, reference);
  return path === undefined ? target : `${isImage ? raw : page}/${path}${rest}`;
}
