// Files as players have them: PGN, or PGN packed by gzip or Zstandard, as the engine is, too.

import { WORDS } from "../words.ts";
import { Refusal } from "./refusal.ts";

const GZIP = [0x1f, 0x8b];
const ZSTANDARD = [0x28, 0xb5, 0x2f, 0xfd];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const PARQUET = [0x50, 0x41, 0x52, 0x31];

/** Larger than what anybody unpacks in a page. */
const MOST = 4 * 2 ** 30;

/** The text of a file, unpacked if it is packed, as its first bytes say. */
export async function unpacked(name: string, file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const begins = (magic: number[]) => magic.every((byte, index) => head[index] === byte);
  if (begins(ZIP)) throw new Refusal(WORDS.isZip(name));
  if (begins(PARQUET)) throw new Refusal(WORDS.isDatabase(name));
  if (begins(GZIP)) return gathered(name, file.stream().pipeThrough(new DecompressionStream("gzip")));
  if (begins(ZSTANDARD)) return gathered(name, file.stream().pipeThrough(await zstandard()));
  return file;
}

export async function zstandard(): Promise<TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>> {
  const { Decompress } = await import("fzstd");
  let decompress: InstanceType<typeof Decompress> | undefined;
  return new TransformStream({
    start(controller) {
      decompress = new Decompress((chunk) => controller.enqueue(chunk.slice()));
    },
    transform: (chunk) => decompress?.push(chunk),
    flush: () => decompress?.push(new Uint8Array(0), true),
  });
}

/** A stream as a file, in pieces that the browser may keep on disk. */
async function gathered(name: string, stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Blob[] = [];
  let buffered: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let waiting = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal(WORDS.isDamaged(name));
    });
    if (value) {
      buffered.push(value);
      waiting += value.length;
      size += value.length;
    }
    if (size > MOST) {
      await reader.cancel();
      throw new Refusal(WORDS.isTooLarge(name));
    }
    if (done || waiting > 1 << 24) {
      parts.push(new Blob(buffered));
      buffered = [];
      waiting = 0;
    }
    if (done) return new Blob(parts);
  }
}
