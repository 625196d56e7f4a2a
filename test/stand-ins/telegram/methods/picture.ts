/** How large a picture is, by its first bytes; undefined is no picture that the platform takes as a photo. */
export function pictureSize(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
  if (bytes.length >= 24 && bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')))
    return sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (bytes.length >= 10 && bytes.subarray(0, 4).toString('latin1') === 'GIF8') return sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (bytes.length >= 4 && bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(bytes);
  return undefined;
}

const sized = (width: number, height: number) => (width > 0 && height > 0 ? { width, height } : undefined);

/** Walks the segments to the frame header. */
function jpegSize(bytes: Buffer): ReturnType<typeof sized> {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
