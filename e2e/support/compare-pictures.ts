import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';

/** Pixels along each side of a block. Letters blur in it, so that fonts and times hardly count; panels and bars do. */
const blockSide = 8;
/** Of 255 in one colour: from here on a block looks different. */
const differenceMin = 28;

/** A picture in blocks, each the mean of its pixels: red, green, blue, row by row. */
interface Blocks {
  readonly columns: number;
  readonly rows: number;
  readonly colours: readonly number[];
}

/**
 * Compares what a page shows with the picture kept for it, block by block.
 * @param kept where the picture is kept; written if `PORTOLAN_KEEP_PICTURES` is `true`.
 * @param scratch an empty page, whose canvas reads and writes pictures.
 * @returns the share of blocks that look different (0 to 1), and where they are in pixels.
 */
export async function comparePicture(page: Page, scratch: Page, kept: string): Promise<{ share: number; at: string }> {
  const now = await readBlocks(scratch, await page.screenshot({ animations: 'disabled', caret: 'hide' }), blockSide);
  if (process.env['PORTOLAN_KEEP_PICTURES'] === 'true') {
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, await writePicture(scratch, now));
    return { share: 0, at: 'kept' };
  }
  if (!existsSync(kept)) return { share: 1, at: 'everywhere: no picture is kept' };
  const before = await readBlocks(scratch, await readFile(kept), 1);
  if (before.columns !== now.columns || before.rows !== now.rows) return { share: 1, at: 'everywhere: another size' };
  const different = Array.from({ length: now.columns * now.rows }, (_, block) => block).filter((block) =>
    [0, 1, 2].some((colour) => {
      const [one = 0, other = 0] = [before.colours[3 * block + colour], now.colours[3 * block + colour]];
      return Math.abs(one - other) >= differenceMin;
    }),
  );
  const [xs, ys] = [different.map((at) => at % now.columns), different.map((at) => Math.floor(at / now.columns))];
  const span = (of: readonly number[]) => `${Math.min(...of) * blockSide} to ${(Math.max(...of) + 1) * blockSide}`;
  return {
    share: different.length / (now.columns * now.rows),
    at: different.length > 0 ? `x ${span(xs)}, y ${span(ys)}` : 'nowhere',
  };
}

// Both run in the browser, whose canvas reads and writes pictures.
const readScript = `async ({ address, side }) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const [columns, rows] = [Math.floor(image.width / side), Math.floor(image.height / side)];
  const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  const sums = new Array(columns * rows * 3).fill(0);
  for (let y = 0; y < rows * side; y += 1) {
    for (let x = 0; x < columns * side; x += 1) {
      const block = 3 * (Math.floor(y / side) * columns + Math.floor(x / side));
      const pixel = 4 * (y * image.width + x);
      for (let colour = 0; colour < 3; colour += 1) sums[block + colour] += data[pixel + colour];
    }
  }
  return { columns, rows, colours: sums.map((sum) => Math.round(sum / (side * side))) };
}`;
const writeScript = `({ columns, rows, colours }) => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [columns, rows];
  const pen = canvas.getContext('2d');
  const image = pen.createImageData(columns, rows);
  for (let block = 0; block < columns * rows; block += 1) {
    image.data.set([...colours.slice(3 * block, 3 * block + 3), 255], 4 * block);
  }
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL('image/png');
}`;

function readBlocks(scratch: Page, png: Buffer, side: number): Promise<Blocks> {
  const address = `data:image/png;base64,${png.toString('base64')}`;
  return scratch.evaluate<Blocks>(`(${readScript})(${JSON.stringify({ address, side })})`);
}

async function writePicture(scratch: Page, blocks: Blocks): Promise<Buffer> {
  const address = await scratch.evaluate<string>(`(${writeScript})(${JSON.stringify(blocks)})`);
  return Buffer.from(address.split(',')[1] ?? '', 'base64');
}
