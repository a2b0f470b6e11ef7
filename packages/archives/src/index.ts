/** Zip archives in browsers and Node.js: no input or output of its own. */
export { type Archive, ArchiveError, type ArchiveFile, type ArchiveLimits, openArchive } from './open-archive.ts';
