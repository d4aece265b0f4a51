import { notFound } from "next/navigation";
import { connection } from "next/server";
import { Gallery } from "@/components/gallery/gallery";

/** Every kind of row and tool of the sessions at hand, for development and tests; elsewhere it is not there. */
export default async function GalleryPage() {
  await connection();
  if (process.env.NODE_ENV !== "development" && process.env.BACKSCROLL_GALLERY !== "1") notFound();
  return <Gallery />;
}
