import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const postgresMajorMin = 15;

/** The folder with `initdb` and `postgres` of a PostgreSQL that is new enough, the newest found; else undefined. */
export function findPostgres() {
  const folders = [
    ...versionFolders('/usr/lib/postgresql', 'bin'),
    ...versionFolders('/opt/homebrew/opt', 'bin', /^postgresql@(\d+)$/),
    ...versionFolders('/usr/local/opt', 'bin', /^postgresql@(\d+)$/),
    ...pathFolders(),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && postgresMajor(folder) >= postgresMajorMin);
}

/** The path of a Chromium or Chrome; `CHROMIUM_PATH` wins; else undefined. */
export function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...pathFolders().flatMap((folder) => names.map((name) => join(folder, name))),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return candidates.find((path) => path && existsSync(path));
}

/** The path of Go; else undefined. */
export function findGo() {
  return pathFolders()
    .map((folder) => join(folder, 'go'))
    .find((path) => existsSync(path));
}

function pathFolders() {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean);
}

/** Debian and Homebrew keep the server's programs outside PATH, one folder for each major version. */
function versionFolders(parent, inside, pattern = /^(\d+)$/) {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .flatMap((name) => {
      const major = pattern.exec(name)?.[1];
      return major ? [{ major: Number(major), folder: join(parent, name, inside) }] : [];
    })
    .sort((left, right) => right.major - left.major)
    .map(({ folder }) => folder);
}

function postgresMajor(folder) {
  try {
    const text = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
