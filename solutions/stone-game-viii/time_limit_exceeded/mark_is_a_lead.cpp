// Fault: -9999 stands for "not known yet", and leads may be -9999: such a lead is worked out twice at every call.
class Solution {
    vector<int> prefix, leads;

    int lead(int end) {
        if (end + 1 == (int)prefix.size()) return prefix[end];
        if (leads[end] != -9999) return leads[end];
        return leads[end] = max(lead(end + 1), prefix[end] - lead(end + 1));
    }

public:
    int stoneGameVIII(vector<int>& stones) {
        prefix.resize(stones.size());
        partial_sum(stones.begin(), stones.end(), prefix.begin());
        leads.assign(stones.size(), -9999);
        return lead(1);
    }
};
