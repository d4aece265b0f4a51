import { notFound } from "next/navigation";
import { connection } from "next/server";
import { Gallery } from "@/components/gallery/gallery";
import { galleryShown } from "@/lib/server/gallery-shown";

/** Every kind of row and tool of the sessions at hand, for development and tests; elsewhere it is not there. */
export default async function GalleryPage() {
  await connection();
  if (!galleryShown()) notFound();
  return <Gallery />;
}
