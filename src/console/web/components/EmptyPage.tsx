import { Button, Text } from "@mantine/core";
import { Link } from "wouter";
import { FIRST_PAGES, useUrlParameters } from "../url.ts";

/** Replaces a later page of a list whose records were deleted after its token was issued. */
export function EmptyPage() {
  return (
    <>
      <Text size="sm" py="sm">
        This page of the list is empty now.
      </Text>
      <FirstPageButton />
    </>
  );
}

/** Leads to the first page of each list on the page. */
export function FirstPageButton() {
  const { link } = useUrlParameters();
  return (
    <Button component={Link} href={link(FIRST_PAGES)} size="compact-sm" variant="default">
      Go to the first page
    </Button>
  );
}
