import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { Refusal } from "../src/backend/refusal.ts";
import { unpacked } from "../src/backend/unpack.ts";

const PGN = '[Event "A"]\n\n1. e4 *\n\n'.repeat(5000);

test("what is packed is unpacked, by its first bytes and not by its name", async () => {
  expect(await (await unpacked("a.pgn", new Blob([PGN]))).text()).toBe(PGN);
  expect(await (await unpacked("a.pgn", new Blob([gzipSync(PGN)]))).text()).toBe(PGN);
});

// Old versions of Node cannot pack with Zstandard.
test.skipIf(!zstdCompressSync)("Zstandard, too", async () => {
  expect(await (await unpacked("a.pgn", new Blob([zstdCompressSync(PGN)]))).text()).toBe(PGN);
});

test("what cannot be read says so", async () => {
  for (const [bytes, words] of [
    [gzipSync(PGN).subarray(0, 40), "damaged"],
    [new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3, 4, 5, 6]), "damaged"],
    [new TextEncoder().encode("PK\x03\x04..."), "ZIP"],
    [new TextEncoder().encode("PAR1..."), "database"],
  ] as const) {
    const error = await unpacked("a.pgn", new Blob([new Uint8Array(bytes)])).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Refusal);
    expect((error as Refusal).message).toContain(words);
  }
});
