// Fault: the search remembers nothing.
class Solution {
public:
    int stoneGameVII(vector<int>& stones) {
        function<int(int, int, int)> lead = [&](int left, int right, int sum) -> int {
            if (left == right) return 0;
            int a = sum - stones[left], b = sum - stones[right];
            return max(a - lead(left + 1, right, a), b - lead(left, right - 1, b));
        };
        return lead(0, (int)stones.size() - 1, accumulate(stones.begin(), stones.end(), 0));
    }
};
