import type { ResponseData } from "../../api/call.ts";

export type Delivery = ResponseData<"/v2/workspace/advancedwebhook/deliveries/get">["deliveries"][number];
